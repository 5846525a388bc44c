import type { Language } from '../../../../domain/text/languages.ts'
import type { PageTexts } from './page-texts.ts'
import { germanPageTexts } from './texts-de.ts'
import { englishPageTexts } from './texts-en.ts'

/** The texts of the pages in each language. */
export const textsIn: Readonly<Record<Language, PageTexts>> = { en: englishPageTexts, de: germanPageTexts }
