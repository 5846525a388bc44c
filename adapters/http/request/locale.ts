import { locales, type Locale } from '../../../domain/text/locales.ts'
import { weightedList } from '../weighted-list.ts'

const defaultLocale: Locale = 'en-US'

/** Languages whose first part alone does not find the locale, or that have several locales. */
const special: ReadonlyMap<string, Locale> = new Map<string, Locale>([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['in', 'id'],
  ['zh', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-hk', 'zh-TW'],
  ['zh-mo', 'zh-TW'],
])

const byTag: ReadonlyMap<string, Locale> = new Map([
  ...locales.map((locale): [string, Locale] => [locale.split('-')[0] ?? locale, locale]),
  ...locales.map((locale): [string, Locale] => [locale.toLowerCase(), locale]),
  ...special,
])

/** The best match of an Accept-Language header; en-US without a header or a match. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const wanted = weightedList(acceptLanguage).filter(({ quality }) => quality > 0)
  for (const { name } of wanted.toSorted((a, b) => b.quality - a.quality)) {
    const locale = localeOfTag(name)
    if (locale) return locale
  }
  return defaultLocale
}

/** Matches the tag itself, then the tag with fewer parts: `zh-hant-hk`, `zh-hant`, `zh`. */
function localeOfTag(tag: string): Locale | undefined {
  // Spanish from anywhere but Spain counts as Latin American Spanish.
  if (/^es-(?!es$)/.test(tag)) return 'es-419'
  for (let parts = tag.split('-').slice(0, 4); parts.length > 0; parts = parts.slice(0, -1)) {
    const locale = byTag.get(parts.join('-'))
    if (locale) return locale
  }
  return undefined
}
