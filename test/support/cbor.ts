export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

/** Encodes CBOR (RFC 8949) as authenticators send it: integers, texts, bytes, arrays and maps. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function isList(value: Cbor): value is readonly Cbor[] {
  return Array.isArray(value)
}

/** A major type and its argument, which is below 2^16 in everything made here. */
function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.of(type | argument)
  if (argument < 256) return Buffer.of(type | 24, argument)
  return Buffer.of(type | 25, argument >> 8, argument & 255)
}
