/** The device that started a session. */
export interface ClientInfo {
  /** Such as `iPhone` or `Windows PC`; null if unknown. */
  readonly platform: string | null
  readonly os: string | null
  readonly browser: string | null
  readonly device: 'mobile' | 'desktop'
  /** Addresses are not located: always null. */
  readonly location: null
}

/** Names and the patterns that reveal them, more specific ones first: nearly every browser also names other browsers. */
type Signs = readonly (readonly [name: string, sign: RegExp])[]

const browsers: Signs = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[0-9.]+ (?:Mobile\/\w+ )?Safari\//],
]

const systems: Signs = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const platforms: Signs = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android tablet', /\bAndroid\b(?!.*\bMobile\b)/],
  ['Android phone', /\bAndroid\b/],
  ['Windows PC', /\bWindows\b/],
  ['Chromebook', /\bCrOS\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux PC', /\bLinux\b/],
]

const mobile = /\b(?:Mobile|Android|iPhone|iPad|iPod)\b/

/**
 * The known names in a User-Agent header; null without a header. Never returns text of the header itself: unknown names are null.
 */
export function clientInfo(userAgent: string | null): ClientInfo | null {
  if (userAgent === null) return null
  return {
    platform: nameIn(userAgent, platforms),
    os: nameIn(userAgent, systems),
    browser: nameIn(userAgent, browsers),
    device: mobile.test(userAgent) ? 'mobile' : 'desktop',
    location: null,
  }
}

function nameIn(userAgent: string, signs: Signs): string | null {
  return signs.find(([, sign]) => sign.test(userAgent))?.[0] ?? null
}
