import { locales, type Locale } from '../../../domain/text/locales.js'

const defaultLocale: Locale = 'en-US'
const ranges_max = 32
const header_max = 1000

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
  if (acceptLanguage === undefined || acceptLanguage.length > header_max) return defaultLocale
  const wanted = acceptLanguage.split(',').slice(0, ranges_max).map(rangeOf)
  for (const { tag } of wanted.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)) {
    const locale = localeOfTag(tag)
    if (locale) return locale
  }
  return defaultLocale
}

function rangeOf(range: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { tag, quality: quality >= 0 && quality <= 1 ? quality : 0 }
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
