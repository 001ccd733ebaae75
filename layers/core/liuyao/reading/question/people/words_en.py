"""Kinship and other roles in English: singular, lower case, without accents. Each may stand in the plural."""

from typing import Final

from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.text import listed

KIN: Final[dict[Role, tuple[str, ...]]] = {
    Role.ELDER: listed("""
        mother, father, mom, mum, mommy, mummy, mama, mam, ma, dad, daddy, papa, pa, parent, folks, stepmother
        stepfather, stepmom, stepdad, stepmum, step-mother, step-father, foster mother, foster father, foster parent
        godmother, godfather, godparent, birth mother, birth father, grandmother, grandfather, grandma, grandpa
        granny, gran, grandad, granddad, nana, nan, grandparent, great-grandmother, great-grandfather, great-grandma
        great-grandpa, great grandmother, great grandfather, mother-in-law, father-in-law, mother in law
        father in law, parents-in-law, in-laws, parents in law, mothers-in-law, uncle, aunt, auntie, aunty, great-aunt
        great-uncle, great aunt, great uncle, teacher, tutor, professor, mentor, master, headteacher, coach, elder
        advisor, supervisor of my thesis, his family, her family, his folks, her folks
    """),
    Role.CHILD: listed("""
        son, daughter, child, children, kid, kiddo, baby, toddler, infant, newborn, twin, unborn child, firstborn
        stepson, stepdaughter, step-son, step-daughter, stepchild, stepchildren, foster child, foster son
        foster daughter, adopted son, adopted daughter, godson, goddaughter, godchild, grandson, granddaughter
        grandchild, grandchildren, grandkid, great-grandson, great-granddaughter, great-grandchild, nephew, niece
        grandnephew, grandniece, son-in-law, daughter-in-law, son in law, daughter in law, sons-in-law
        daughters-in-law, student, pupil, apprentice, disciple, protege, protegee, mentee, little one, boy of mine
        little boy, little girl, teenager, teen, eldest, youngest
    """),
    Role.PET: listed("""
        pet, dog, cat, puppy, puppies, pup, kitten, kitty, doggo, rabbit, bunny, hamster, guinea pig, parrot, budgie
        tortoise, turtle, goldfish, horse, pony, cow, goat, hen, parakeet, canary, ferret, gecko, labrador
        golden retriever, retriever, poodle, spaniel, terrier, collie, beagle, dachshund, whippet, greyhound, corgi
        rottweiler, tabby, moggy, tomcat, fur baby, furbaby, chihuahua, bulldog, german shepherd, lizard, snake
    """),
    Role.HEALER: listed("""
        doctor, surgeon, physician, therapist, dentist, vet, monk, priest, nun, healer, psychiatrist, oncologist
        cardiologist, dermatologist, consultant, specialist, gp, nurse, midwife, physiotherapist, acupuncturist
        physio, counsellor, counselor, psychologist, osteopath, chiropractor, orthodontist, pharmacist, paediatrician
        pediatrician, gynaecologist, gynecologist, dietitian, optician
    """),
    Role.WIFE: listed("""
        wife, girlfriend, gf, fiancee, ex-wife, ex-girlfriend, ex wife, ex girlfriend, missus, bride, lady love
    """),
    Role.GIRL: listed("woman, girl, lady, female friend"),
    Role.SISTER_IN_LAW: listed("sister-in-law, sister in law, sisters-in-law"),
    Role.SERVANT: listed("""
        employee, staff, assistant, subordinate, nanny, babysitter, maid, cleaner, housekeeper, driver, secretary
        foremen, salesmen, head waiter
        intern, worker, au pair, gardener, caregiver, carer, helper, direct report, new hire, team member, salesperson
        salesman, saleswoman, sales rep, bookkeeper, cook, chef, waiter, waitress, bartender, barista, receptionist
        cashier, shop assistant, handyman, chauffeur, housemaid, domestic worker, apprentice cook, foreman, labourer
        laborer, technician, accountant, crew, plumber, electrician, decorator, mechanic, carpenter, roofer, mover
        builder, locksmith
    """),
    Role.HUSBAND: listed("""
        husband, hubby, boyfriend, bf, fiance, ex-husband, ex-boyfriend, ex husband, ex boyfriend, groom, baby daddy
    """),
    Role.BOY: listed("man, guy, boy, gentleman, dude, bloke, male friend"),
    Role.HIS_BROTHER: listed("husband's brother, husband's sister"),
    Role.SUPERIOR: listed("""
        boss, manager, supervisor, superior, ceo, director, principal, line manager, team lead, chief, commander
        president of my company, judge, head of department, department head
        team leader, chairman, chairwoman, vp, landlord of the office
    """),
    Role.SIBLING: listed("""
        brother, bro, sibling, half-brother, half brother, stepbrother, step-brother, cousin, twin brother
        brother-in-law, brother in law, brothers-in-law, elder brother, older brother, younger brother, big brother
        little brother, kid brother
    """),
    Role.SISTER: listed("""
        sister, sis, half-sister, half sister, stepsister, step-sister, twin sister, elder sister, older sister
        younger sister, big sister, little sister, kid sister
    """),
    Role.FRIEND: listed("""
        friend, best friend, bestie, mate, buddy, pal, roommate, room mate, room-mate, flatmate, flat mate
        flat-mate, housemate, house mate, house-mate, dorm mate, dormmate, classmate, schoolmate
        colleague, coworker, co-worker, workmate, teammate, neighbour, neighbor, peer, bff, work friend
        girl friend of mine
    """),
    Role.BELOVED: listed("""
        ex, lover, spouse, significant other, crush, soulmate, soul mate, beloved, better half, ex-lover, ex-partner
        ex partner, love interest, situationship, twin flame, life partner, partner, future spouse, other half
        person i love, person i like
    """),
    Role.STRANGER: listed("""
        business partner, client, customer, landlord, landlady, tenant, buyer, seller, agent, broker, opponent, rival
        competitor, supplier, vendor, investor, debtor, creditor, lender, borrower, lawyer, attorney, plaintiff
        defendant, stranger, recruiter, interviewer, hiring manager, contractor, other side, other party, someone
        somebody, mistress, enemy, third party, relative, bank, celebrity, candidate, president, company, employer
        estate agent, realtor, insurance agent, courier, delivery driver, squatter, editor, publisher, journalist
        scammer, next-door neighbour, housing association, trustee, executor, middleman, distributor, planner
        tradesman, fitter, kitchen fitter, tiler, plasterer, surveyor, architect, photographer, florist, caterer
        solicitor, barrister, notary, auctioneer, wedding planner, designer
        lodger, insurer, insurance company, referee, examiner, committee, developer, police, council, airline
    """),
}
