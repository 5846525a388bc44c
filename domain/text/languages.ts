/** The languages that the server writes in. */
export type Language = 'en' | 'de'

/** The language for a locale such as `de-AT`: English where there are no texts for it. */
export function languageOf(locale: string): Language {
  return locale.split('-')[0]?.toLowerCase() === 'de' ? 'de' : 'en'
}
