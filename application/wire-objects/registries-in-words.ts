/** The bits of a registry in words: `Bits: 1 MUTUAL_FRIENDS, 2 MUTUAL_GUILDS.` */
export function bitsInWords(bits: Readonly<Record<string, number | bigint>>): string {
  return `Bits: ${listed(bits)}.`
}

/** The values of a registry in words: `0 NONE, 1 ELEVATED.` */
export function valuesInWords(values: Readonly<Record<string, number>>): string {
  return `${listed(values)}.`
}

function listed(registry: Readonly<Record<string, number | bigint>>): string {
  return Object.entries(registry)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')
}
