import { beforeEach, describe, expect, it } from 'vitest'
import { categories, eventCatalogs, type EventCatalogs } from '../../../domain/aggregates.ts'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import type { EncodedEvent, StoredEvent } from '../../../adapters/event-store/stored-event.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { accountStream, anyAccount, anyStream, metadata, newEvent, registration } from '../../contract/sample-events.ts'

const stream = anyStream()

function stored(encoded: EncodedEvent | undefined, more: Partial<StoredEvent> = {}): StoredEvent {
  if (!encoded) throw new Error('nothing was encoded')
  const { eventId, type, data, metadata: text } = encoded
  return {
    stream,
    revision: 0,
    position: 42n,
    eventId,
    type,
    data: JSON.parse(data),
    metadata: JSON.parse(text),
    ...more,
  }
}

/** The catalog of invites as if redemptions had been released in `version` shapes. */
const catalogsOfVersion = (version: 1 | 2 | 3): EventCatalogs => ({
  invite: {
    category: 'invite',
    events: {
      InviteRedeemed: {
        version,
        upcasts: [
          ({ uses, ...data }: Readonly<Record<string, unknown>>) => ({ ...data, taken: uses }),
          (data: Readonly<Record<string, unknown>>) => ({ ...data, seats: [data['taken']] }),
        ].slice(0, version - 1),
      },
    },
  },
})

describe('event versions', () => {
  const codecOf = (version: 1 | 2 | 3) => eventCodec(memoryPersonalDataKeys(), catalogsOfVersion(version))

  it('are written with the events and turn into the current one when read', async () => {
    const written = [1, 2, 3] as const
    const shapes = [{ uses: 4 }, { taken: 4 }, { taken: 4, seats: [4] }]
    for (const [index, version] of written.entries()) {
      const [encoded] = await codecOf(version).encode(stream, [newEvent(shapes[index])])
      expect(JSON.parse(encoded?.metadata ?? '')).toMatchObject({ schemaVersion: version })
      expect(await codecOf(3).decode([stored(encoded)])).toMatchObject([{ data: { taken: 4, seats: [4] } }])
    }
  })

  it('newer than the current one are an error with position and type', async () => {
    const [encoded] = await codecOf(2).encode(stream, [newEvent({ taken: 4 })])
    await expect(codecOf(1).decode([stored(encoded)])).rejects.toThrow(
      /position 42 .*type InviteRedeemed.*version 2, newer than 1/,
    )
  })

  it.each([0, 1.5, '1', undefined])('of %s are an error', async (schemaVersion) => {
    const [encoded] = await codecOf(1).encode(stream, [newEvent()])
    const event = stored(encoded, { metadata: { ...metadata(), schemaVersion } })
    await expect(codecOf(1).decode([event])).rejects.toThrow(/position 42 .*schemaVersion/s)
  })

  it('of every catalog have one upcast between two of them', () => {
    for (const category of categories) {
      const { events, ...catalog } = eventCatalogs[category]
      expect(catalog.category).toBe(category)
      for (const { version, upcasts = [] } of Object.values(events)) expect(upcasts).toHaveLength(version - 1)
    }
  })

  it('without their upcasts are an error', async () => {
    const [encoded] = await codecOf(1).encode(stream, [newEvent()])
    const codec = eventCodec(memoryPersonalDataKeys(), {
      invite: { category: 'invite', events: { InviteRedeemed: { version: 2 } } },
    })
    await expect(codec.decode([stored(encoded)])).rejects.toThrow(/position 42 .*0 upcasts for 2 versions/)
  })
})

describe('a stored event', () => {
  const codec = eventCodec(memoryPersonalDataKeys())
  const anEvent = async (more: Partial<StoredEvent>) =>
    codec.decode([stored((await codec.encode(stream, [newEvent()]))[0], more)])

  it('of an unknown type or category is an error with position and type', async () => {
    await expect(anEvent({ type: 'InviteVanished' })).rejects.toThrow(/position 42 .*type InviteVanished.*no such type/)
    await expect(anEvent({ type: 'constructor' })).rejects.toThrow(/position 42 .*no such type/)
    await expect(anEvent({ stream: 'poll-1' })).rejects.toThrow(/position 42 .*poll-1.*no event catalog/)
  })

  it('with broken data or metadata is an error with position and type', async () => {
    for (const data of [null, 'text', 4, []])
      await expect(anEvent({ data })).rejects.toThrow(/position 42 .*not a JSON object/)
    for (const broken of [null, {}, { schemaVersion: 1, ...metadata(), actor: { kind: 'ghost' } }]) {
      await expect(anEvent({ metadata: broken })).rejects.toThrow(/position 42 .*type InviteRedeemed/)
    }
  })
})

describe('sealed members', () => {
  let asked: { readonly keysFor: (readonly AccountId[])[]; readonly existingKeys: (readonly AccountId[])[] }
  let keys: PersonalDataKeys
  beforeEach(() => {
    const held = memoryPersonalDataKeys()
    asked = { keysFor: [], existingKeys: [] }
    keys = {
      keysFor: (accounts) => (asked.keysFor.push(accounts), held.keysFor(accounts)),
      existingKeys: (accounts) => (asked.existingKeys.push(accounts), held.existingKeys(accounts)),
      destroy: (account) => held.destroy(account),
    }
  })

  async function sealed(account: AccountId): Promise<StoredEvent> {
    const [encoded] = await eventCodec(keys).encode(accountStream(account), [registration(account)])
    return stored(encoded, { stream: accountStream(account) })
  }

  it('are those that the catalog names, each in the form that is kept forever', async () => {
    const { data } = await sealed(anyAccount())
    expect(data).toMatchObject({
      username: 'ada',
      email: { $sealed: expect.stringMatching(/^v1\.[A-Za-z0-9+/]+=*$/) },
      passwordHash: { $sealed: expect.any(String) },
      dateOfBirth: { $sealed: expect.any(String) },
    })
  })

  it('ask for keys once a batch, and only of accounts with personal data in it', async () => {
    const codec = eventCodec(keys)
    const [one, other, third] = [anyAccount(), anyAccount(), anyAccount()]
    const events = [await sealed(one), await sealed(other), await sealed(one)]
    const ended = { type: 'SessionEnded', data: { accountId: third, tokenHash: 'hash' }, metadata: metadata() }
    const [plain] = await codec.encode(accountStream(third), [ended])
    await codec.encode(stream, [newEvent()])
    expect(asked.keysFor).toEqual([[one], [other], [one]])
    await codec.decode([...events, stored(plain, { stream: accountStream(third) })])
    expect(asked.existingKeys).toEqual([[one, other]])
    await codec.decode([stored(plain, { stream: accountStream(third) })])
    expect(asked.existingKeys).toHaveLength(1)
  })

  it('open in their own place alone', async () => {
    const account = anyAccount()
    const [event, other] = [await sealed(account), await sealed(account)]
    const codec = eventCodec(keys)
    const swapped = { ...event, data: { ...Object(event.data), email: Object(event.data).passwordHash } }
    await expect(codec.decode([swapped])).rejects.toThrow(/position 42 .*type AccountRegistered/)
    await expect(codec.decode([{ ...event, data: other.data }])).rejects.toThrow(/position 42/)
    await expect(codec.decode([{ ...event, eventId: other.eventId }])).rejects.toThrow(/position 42/)
    expect(await codec.decode([event])).toMatchObject([{ data: { email: 'ada@example.org' } }])
  })

  it('are handed over as reading gives them, and without what no key has sealed', async () => {
    const account = anyAccount()
    const codec = eventCodec(keys)
    const handedOver = async () => {
      const [encoded] = await codec.encode(accountStream(account), [registration(account, { bio: undefined })])
      const [read] = await codec.decode([stored(encoded, { stream: accountStream(account) })])
      return { given: encoded?.asRead(), read: read && { type: read.type, data: read.data, metadata: read.metadata } }
    }
    const open = await handedOver()
    expect(open.given).toStrictEqual(open.read)
    expect(open.given?.data).toMatchObject({ email: 'ada@example.org' })
    await keys.destroy(account)
    const closed = await handedOver()
    expect(closed.given).toStrictEqual(closed.read)
    expect(closed.given?.data).toMatchObject({ email: null, username: 'ada' })
  })

  it('that were tampered with, or are of an unknown form, are an error', async () => {
    const event = await sealed(anyAccount())
    const tampered = ($sealed: string) =>
      eventCodec(keys).decode([{ ...event, data: { ...Object(event.data), email: { $sealed } } }])
    for (const text of ['v1.', 'v1.AAAA', `v1.${'A'.repeat(80)}`, 'v2.AAAA', '']) {
      await expect(tampered(text)).rejects.toThrow(/position 42 .*type AccountRegistered/)
    }
  })

  it('have beside them the reason, where it speaks of the account: sealed, and gone with the key', async () => {
    const account = anyAccount()
    const stream = `membership-1-${account}`
    const data = { guildId: '1', accountId: account, kickedAt: 'now' }
    const kicked = { ...newEvent(data, { reason: 'shouted' }), type: 'MemberKicked' }
    const codec = eventCodec(keys)
    const [encoded] = await codec.encode(stream, [kicked])
    expect(encoded?.metadata).not.toContain('shouted')
    const event = stored(encoded, { stream })
    expect(await codec.decode([event])).toMatchObject([{ metadata: { reason: 'shouted' } }])
    await expect(codec.decode([{ ...event, stream: `membership-2-${account}` }])).rejects.toThrow(/position 42/)
    const [read] = await codec.decode([event])
    expect(encoded?.asRead()?.metadata).toStrictEqual(read?.metadata)
    // An event from before reasons were sealed.
    const clear = { ...event, metadata: { schemaVersion: 1, ...metadata({ reason: 'shouted' }) } }
    expect(await codec.decode([clear])).toMatchObject([{ metadata: { reason: 'shouted' } }])
    await keys.destroy(account)
    for (const each of [event, stored((await codec.encode(stream, [kicked]))[0], { stream })])
      expect((await codec.decode([each]))[0]?.metadata).not.toHaveProperty('reason')
  })

  it('have beside them the reason of what an administrator does to an account, in any stream: sealed with its key', async () => {
    const account = anyAccount()
    const stream = `handle-${account}`
    const action = { entryId: '1', commandId: '2', adminId: '3', credential: 'session', action: 'change_username' }
    const of = (target: { readonly type: string; readonly id: string }) => ({
      ...newEvent({ username: 'ada', discriminator: 1, accountId: account }, {
        reason: 'shouted',
        adminAction: { ...action, target },
      } as never),
      type: 'HandleClaimed',
    })
    const codec = eventCodec(keys)
    const [encoded] = await codec.encode(stream, [of({ type: 'user', id: account })])
    expect(encoded?.metadata).not.toContain('shouted')
    const event = stored(encoded, { stream })
    const [read] = await codec.decode([event])
    expect(read).toMatchObject({ metadata: { reason: 'shouted' } })
    expect(encoded?.asRead()?.metadata).toStrictEqual(read?.metadata)
    for (const target of [
      { type: 'user', id: '0' },
      { type: 'guild', id: account },
    ])
      expect((await codec.encode(stream, [of(target)]))[0]?.metadata).toContain('shouted')
    await keys.destroy(account)
    expect((await codec.decode([event]))[0]?.metadata).not.toHaveProperty('reason')
  })

  it('are upcast as what they hold', async () => {
    const account = anyAccount()
    const event = await sealed(account)
    const codec = eventCodec(keys, {
      account: {
        category: 'account',
        events: {
          AccountRegistered: {
            version: 2,
            personal: ['mail', 'passwordHash', 'dateOfBirth'],
            upcasts: [({ email, ...data }) => ({ ...data, mail: email })],
          },
        },
        subjectOf: () => account,
      },
    })
    expect(await codec.decode([event])).toMatchObject([{ data: { mail: 'ada@example.org', username: 'ada' } }])
    await keys.destroy(account)
    expect(await codec.decode([event])).toMatchObject([{ data: { mail: null, username: 'ada' } }])
  })
})
