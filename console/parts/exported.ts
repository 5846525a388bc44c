import { defaultExporter, type Exporter } from 'react-admin'

/** What a spreadsheet takes for a formula, after blanks too. */
const formula = /^\s*[=+\-@]|^[\t\r]/

/** A value of a record as a spreadsheet shows it: a text that it would take for a formula begins with an apostrophe, which it drops. */
export function harmless(value: unknown): unknown {
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value
  if (Array.isArray(value)) return value.map(harmless)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, harmless(member)]))
}

/** Writes records as CSV. Names and words of strangers stand in them. */
export const exported: Exporter = (records, ...rest) =>
  defaultExporter(
    records.map((record) => harmless(record) as typeof record),
    ...rest,
  )
