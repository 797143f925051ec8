// Every language whose words the text scanner knows.
import { chinese } from "./chinese.ts";
import type { Lexicon } from "./concept.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { japanese } from "./japanese.ts";
import { korean } from "./korean.ts";
import { portuguese } from "./portuguese.ts";
import { russian } from "./russian.ts";
import { spanish } from "./spanish.ts";

/** Every language is asked at once: an order may change its language halfway. */
export const lexicons: readonly Lexicon[] = [english, chinese, spanish, german, french, japanese, korean, portuguese, russian];
