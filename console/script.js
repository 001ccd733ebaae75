/** Writes the terms of Liu Yao, which are stored in Simplified Chinese, in the page's script. */
import { currentLanguage } from "./words.js";

/** Every character that differs, of the names of hexagrams, palaces and generations, of relations, spirits and notes. */
const SIMPLIFIED = "与业丰临为于会克兑养内冲剥动发变壮复头孙宫师带应归恒损无时晋泽济涣渐独离纯纳绊绝节虚蛊观讼谦财贲过进遁长陈随静颐风龙";
const TRADITIONAL = "與業豐臨為於會剋兌養內沖剝動發變壯復頭孫宮師帶應歸恆損無時晉澤濟渙漸獨離純納絆絕節虛蠱觀訟謙財賁過進遯長陳隨靜頤風龍";

const inTraditional = (character) => TRADITIONAL[SIMPLIFIED.indexOf(character)] ?? character;

/** Return a term in the page's script. */
export const spell = (term) => (currentLanguage() === "zh-TW" ? [...term].map(inTraditional).join("") : term);
