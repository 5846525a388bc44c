const address_units_max = 2048

/** An address of http or https; undefined for anything else, which is left out. */
export function webAddress(given: string | null | undefined): string | undefined {
  if (given === null || given === undefined || given.length > address_units_max) return undefined
  return /^https?:\/\//i.test(given) && URL.canParse(given) ? given : undefined
}
