const header_max = 1000
const items_max = 32

/** An item of a header that says what a client takes, with its weight from 0 (not at all) to 1. */
export interface Weighted {
  readonly name: string
  readonly quality: number
}

/**
 * The items of Accept, Accept-Encoding or Accept-Language in lower case, without their other parameters (RFC 9110, 12.4.2). A header
 * above 1,000 characters counts as absent, and items after the 32nd do not count.
 */
export function weightedList(header: string | undefined): readonly Weighted[] {
  if (header === undefined || header.length > header_max) return []
  return header.toLowerCase().split(',').slice(0, items_max).map(weighted)
}

function weighted(item: string): Weighted {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** Whether a client prefers a page to JSON, as browsers do where people open an address. Equal weights mean JSON. */
export function prefersPage(accept: string | undefined): boolean {
  const items = new Map(weightedList(accept).map(({ name, quality }) => [name, quality]))
  const qualityOf = (type: 'text/html' | 'application/json'): number =>
    items.get(type) ?? items.get(type.replace(/\/.*/, '/*')) ?? items.get('*/*') ?? 0
  return qualityOf('text/html') > qualityOf('application/json')
}
