import { expect, it } from 'vitest'
import { attachmentAddresses } from '../../../../adapters/media/attachments/signed-addresses.ts'
import { attachmentId, channelId } from '../../../../domain/ids/ids.ts'
import { nextSnowflake, snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'

const attached_ms = Date.UTC(2026, 10, 29, 12, 0, 30)
const hour_ms = 3_600_000
const name = {
  channelId: channelId(snowflake('1500000000000000000')),
  id: attachmentId(nextSnowflake({ ms: 0, sequence: 0 }, attached_ms, 1).id),
  filename: 'Plan (木) #1?.png',
}
const addresses = attachmentAddresses(Buffer.alloc(32, 1), () => 'https://chat.example/below')
const after = (hours: number) => timestamp(attached_ms + hours * hour_ms)
const open = (address: string, hours: number, from = addresses) => {
  const { pathname, search } = new URL(address)
  return from.open(pathname.replace('/below', ''), search, after(hours))
}

it('an address opens the attachment that it was made for', () => {
  const address = addresses.addressOf(name, after(1))
  expect(address).toMatch(
    /^https:\/\/chat\.example\/below\/media\/attachments\/1500000000000000000\/\d+\/Plan%20\(%E6%9C%A8\)%20%231%3F\.png\?ex=[0-9a-f]{8}&is=[0-9a-f]{8}&hm=[0-9a-f]{64}$/,
  )
  expect(open(address, 1)).toStrictEqual({ name, left_s: 23 * 3600 })
})

it('an address stays the same for half a day, and is good for at least as long again', () => {
  const first = addresses.addressOf(name, after(0))
  expect(addresses.addressOf(name, after(11.99))).toBe(first)
  expect(addresses.addressOf(name, after(12))).not.toBe(first)
  expect(open(first, 23.99)).toBeDefined()
  expect(open(first, 24)).toBeUndefined()
})

it.each([
  ['another file', (address: string) => address.replace('.png', '.svg')],
  ['another channel', (address: string) => address.replace('1500000000000000000', '1500000000000000001')],
  ['a longer life', (address: string) => address.replace(/ex=./, 'ex=f')],
  ['no signature', (address: string) => address.replace(/&hm=.*/, '')],
  ['a signature of other letters', (address: string) => address.replace(/hm=.*/, `hm=${'é'.repeat(64)}`)],
  ['a broken name', (address: string) => address.replace('%20', '%zz')],
])('nobody can make an address of %s', (_, changed) => {
  expect(open(changed(addresses.addressOf(name, after(0))), 0)).toBeUndefined()
})

it('another key opens nothing', () => {
  const others = attachmentAddresses(Buffer.alloc(32, 2), () => 'https://chat.example/below')
  expect(open(addresses.addressOf(name, after(0)), 0, others)).toBeUndefined()
})

it('an address that has expired is renewed, and those of others are not', () => {
  const first = addresses.addressOf(name, after(0))
  expect(addresses.renewed(first, after(100))).toBe(addresses.addressOf(name, after(100)))
  expect(addresses.renewed(first.replace(/\?.*/, ''), after(0))).toBe(first)
  for (const foreign of ['', 'nothing', first.replace('chat.example', 'chat.example.org'), first.replace('/below', '')])
    expect(addresses.renewed(foreign, after(0))).toBeUndefined()
})
