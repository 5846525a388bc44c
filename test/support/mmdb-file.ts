import { writeFile } from 'node:fs/promises'

/** A value of an MMDB file. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** A record for an IPv4 network, such as 203.0.113.0/24. */
export type MmdbRecord = readonly [network: string, record: Value]

/** A place as databases of cities hold it. */
export const placed = (country: string, city?: string): Value => ({
  country: { iso_code: country.slice(0, 2).toUpperCase(), names: { en: country } },
  ...(city === undefined ? {} : { city: { names: { en: city, de: `${city} auf Deutsch` } } }),
})

/** A node's two branches: another node, the place of a record among the data, or nothing. */
type Branch = number | { readonly data: number } | undefined
type Node = [Branch, Branch]

const metadataMark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
const separator_bytes = 16
/** IPv4 addresses are the last 32 of 128 bits. */
const bitsBeforeIpv4 = 96

/** Writes a small MMDB file, format 2.0, with records of 24 bits. */
export async function writeMmdbFile(path: string, records: readonly MmdbRecord[]): Promise<void> {
  await writeFile(path, mmdbFile(records))
}

function mmdbFile(records: readonly MmdbRecord[]): Buffer {
  const nodes: Node[] = [[undefined, undefined]]
  const data: Buffer[] = []
  let data_bytes = 0
  for (const [network, record] of records) {
    insert(nodes, bitsOf(network), data_bytes)
    const encoded = encode(record)
    data.push(encoded)
    data_bytes += encoded.length
  }
  const tree = Buffer.concat(nodes.flatMap((node) => node.map((branch) => branchOf(branch, nodes.length))))
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_763_900_000,
    database_type: 'Test-City',
    description: { en: 'Made by a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  })
  return Buffer.concat([tree, Buffer.alloc(separator_bytes), ...data, metadataMark, metadata])
}

function bitsOf(network: string): readonly number[] {
  const [address = '', length = '32'] = network.split('/')
  const bits = address.split('.').flatMap((byte) => Number(byte).toString(2).padStart(8, '0').split('').map(Number))
  return [...Array.from({ length: bitsBeforeIpv4 }, () => 0), ...bits.slice(0, Number(length))]
}

function insert(nodes: Node[], bits: readonly number[], data: number): void {
  let at = 0
  for (const [index, bit] of bits.entries()) {
    const node = nodes[at]
    if (!node) throw new Error('No such node')
    if (index === bits.length - 1) {
      node[bit === 1 ? 1 : 0] = { data }
      return
    }
    const next = node[bit === 1 ? 1 : 0]
    if (typeof next === 'object') throw new Error('A network holds another one')
    at = next ?? nodes.push([undefined, undefined]) - 1
    node[bit === 1 ? 1 : 0] = at
  }
}

function branchOf(branch: Branch, node_count: number): Buffer {
  const value =
    branch === undefined ? node_count : typeof branch === 'number' ? branch : node_count + separator_bytes + branch.data
  const bytes = Buffer.alloc(3)
  bytes.writeUIntBE(value, 0, 3)
  return bytes
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, bytes.length), bytes])
  }
  if (isList(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const members = Object.entries(value)
  return Buffer.concat([control(7, members.length), ...members.flatMap(([key, each]) => [encode(key), encode(each)])])
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/** The type and the size of what follows. Types above 7 have a byte of their own; so have sizes from 29 on, up to 284. */
function control(type: number, size: number): Buffer {
  if (size > 284) throw new Error('Larger values are not written')
  const [first, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from(type > 7 ? [first, type - 7, ...more] : [(type << 5) | first, ...more])
}
