"""Bare verbs and predicates of English, to tell where a subject ends."""

from typing import Final

from liuyao.reading.question.text import listed

VERBS: Final = frozenset(
    listed("""
        accept achieve adopt afford agree allow apologise apologize appeal appear apply approve arrive ask attend
        attract be beat become begin believe benefit bless block bloom book borrow break bring build buy call cancel
        care carry cause change cheat choose clear close collapse come commit complete conceive confess consent
        contact continue cooperate cost crash cure cut date deceive decide decline decrease defeat deliver deserve
        develop die disappear divorce do double drop earn emigrate end enjoy enter escape evict expand expect extend
        face fail fall feel fight file fill find finish fire fit fix fly follow force forget forgive fulfil fulfill
        gain get give go graduate grow handle happen harm hate have heal hear help hire hold hurt improve increase
        invest invite join keep know land last launch lead learn leave lend let lie like listen live look lose love
        make manage marry match matter mean meet mend mind miss move name need obey offer open operate oppose
        overcome owe own part pass pay perform pick place plan play postpone prefer pregnant prevail proceed profit
        progress promote propose prosper prove publish pull pursue push put qualify quit raise reach react read
        rebound receive reconcile recover reduce refuse regret reject relocate rely remain remarry remember renew
        rent reopen repair repay reply report rescue resign resolve respect respond rest result retire return rise
        ruin run save say see sell send separate settle show sign sit sleep sort spend split spread stabilise
        stabilize stand start stay stick still stop study succeed sue suffer suit support surrender survive take
        talk teach tell text thank think transfer travel treat trust try turn unite upgrade use visit wait wake walk
        want warn wed win withdraw wish work worsen write ever really actually finally soon also just truly
        eventually always
        bake bark behave bend bite blow boil bounce bubble burn chat clean climb cook cool cover crack creak cry
        dance dig dissolve dread drift drink drive drip dry eat fade ferment flicker float flower flow foam freeze
        fray germinate glow grumble hang hatch hum itch jam jump kick knit knock lay leak lift light load lock melt
        mow nest notice pack paint peel phone pop pour practise prune puncture rain rattle ring ripen rot run rust
        scratch scream seal set sew shake shine shout shrink shut sing sink skip slip smell smoke snap snow sprout
        squeak stain stick sting stretch sulk swell swim taste tear text thaw tidy tie tip topple twist understand
        vanish visit vote wash water wear weigh wilt wobble yield clap laugh smile nod blame charge download upload
        load update crash reboot print connect switch swap share collect deliver post ship pick cheer tire suit
        bother annoy upset disturb guess spot recognise recognize remind praise thank greet host
    """)
)

COMPLEMENTS: Final = frozenset(
    listed("""
        able about abroad abusive accepted afraid alive all alright angry approved at available away back bad better
        cheaper close coming compatible cursed dangerous dead destined done doing due easy enough eligible faithful
        false fated favorable favourable fine for free from genuine getting going gone good guilty happy haunted
        healthy honest hopeful ill important in innocent interested into jealous just likely lost loyal lucky lying
        mad married meant near necessary needed now ok okay on open out over pregnant possible profitable promising
        ready real really reliable right risky safe seeing serious sick single so sold sincere smart stable still
        stolen strong stuck suitable sure the to too true trustworthy unfaithful unwell up using valid waiting well
        wise with working worth worthwhile wrong a an as not never always upset here there
        any warm cold loud quiet long short full empty dry wet ripe fresh fit fair cross
        annoyed bored tired ready big small heavy light easy hard nice kind strict clean dirty broken cheap expensive
    """)
)
