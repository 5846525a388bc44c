/** What a session says of the device that began it (reference identity 4.1). */
export interface ClientInfo {
  /** Such as `iPhone` or `Windows PC`; null where it can't be told. */
  readonly platform: string | null
  readonly os: string | null
  readonly browser: string | null
  readonly device: 'mobile' | 'desktop'
  /** Nobody looks up where an address is: always null. */
  readonly location: null
}

/** A name, and what tells of it. First come the more special ones: nearly every browser calls itself others, too. */
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
 * What a User-Agent header says of its sender; null without one. Nothing of the header itself is given back: what is not
 * known by name is null.
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
