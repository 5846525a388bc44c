import { locales, type Locale } from '../text/locales.ts'
import type { Length } from '../text/normalise.ts'

/** What a guild says of itself in the directory. */
export interface DirectoryListing {
  /** 10 to 300 characters. */
  readonly description: string
  /** A category of the directory, 0 to 8. */
  readonly categoryType: number
  /** One of `directoryLanguages`. */
  readonly primaryLanguage: DirectoryLanguage
  /** Normalised, each once. */
  readonly customTags: readonly string[]
}

/** The bounds of a listing. */
export const descriptionLength: Length = { min: 10, max: 300 }
export const tagLength: Length = { min: 2, max: 30 }
export const customTags_max = 10

/** The categories of the directory by id, 0 to 8. */
export const directoryCategories: readonly string[] = [
  'Gaming',
  'Music',
  'Entertainment',
  'Education',
  'Science & Technology',
  'Content Creator',
  'Anime & Manga',
  'Movies & TV',
  'Other',
]

/** The languages of the directory, in exactly this letter case: English is one language there. */
export type DirectoryLanguage = Exclude<Locale, 'en-GB'>

export const directoryLanguages = locales.filter((locale): locale is DirectoryLanguage => locale !== 'en-GB')

export const defaultDirectoryLanguage: DirectoryLanguage = 'en-US'
