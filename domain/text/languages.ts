/** The languages of the server's texts. */
export type Language = 'en' | 'de'

/** The language of a locale such as `de-AT`; English if there are no texts for it. */
export function languageOf(locale: string): Language {
  return locale.split('-')[0]?.toLowerCase() === 'de' ? 'de' : 'en'
}
