import type { Language } from '../../../../domain/text/languages.js'
import type { PageTexts } from './page-texts.js'
import { germanPageTexts } from './texts-de.js'
import { englishPageTexts } from './texts-en.js'

/** The texts of the pages in each language. */
export const textsIn: Readonly<Record<Language, PageTexts>> = { en: englishPageTexts, de: germanPageTexts }
