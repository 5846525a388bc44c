import { textsInLanguages } from '../texts/texts.ts'
import { instanceTextsInEnglish } from './texts-in-english.ts'
import { instanceTextsInGerman } from './texts-in-german.ts'

export const instanceTexts = textsInLanguages(instanceTextsInEnglish, instanceTextsInGerman)
