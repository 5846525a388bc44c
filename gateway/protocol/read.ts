import { parseSnowflake, type Snowflake } from '../../domain/ids/snowflake.js'
import type { Closing } from './closings.js'

/** What becomes of a payload: what it says, or how the connection ends for it. */
export type Read<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly closing: Closing }

export function readable<Value>(value: Value): Read<Value> {
  return { ok: true, value }
}

export function unreadable(closing: Closing): Read<never> {
  return { ok: false, closing }
}

/** A JSON object, whose members are still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** An id of the payload; undefined for everything that is none. */
export function snowflakeIn(value: unknown): Snowflake | undefined {
  if (typeof value !== 'string') return undefined
  const read = parseSnowflake(value)
  return read.ok ? read.id : undefined
}
