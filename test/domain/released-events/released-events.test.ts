import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventCatalogs } from '../../../adapters/event-store/catalogs.js'
import { eventCodec } from '../../../adapters/event-store/codec.js'
import { account } from '../../../domain/account/account.js'
import { adminAudit } from '../../../domain/admin-audit/admin-audit.js'
import { adminKey } from '../../../domain/admin-key/admin-key.js'
import { application } from '../../../domain/application/application.js'
import { blocklistEntry } from '../../../domain/blocklist-entry/blocklist-entry.js'
import { directChannel } from '../../../domain/direct-channel/direct-channel.js'
import { emailAddress } from '../../../domain/email-address/email-address.js'
import { guild } from '../../../domain/guild/guild.js'
import { guildAudit } from '../../../domain/guild-audit/guild-audit.js'
import { handle } from '../../../domain/handle/handle.js'
import { instance } from '../../../domain/instance/instance.js'
import { invite } from '../../../domain/invite/invite.js'
import type { DomainEvent } from '../../../domain/kernel/decider.js'
import { categories, categoryOf, type Category } from '../../../domain/kernel/streams.js'
import { membership } from '../../../domain/membership/membership.js'
import { privateChannel } from '../../../domain/private-channel/private-channel.js'
import { registrationUrl } from '../../../domain/registration-url/registration-url.js'
import { relationship } from '../../../domain/relationship/relationship.js'
import { singleSignOnIdentity } from '../../../domain/single-sign-on-identity/single-sign-on-identity.js'
import { networkBan } from '../../../domain/network-ban/network-ban.js'
import { thread } from '../../../domain/thread/thread.js'
import { userGuildSettings } from '../../../domain/user-guild-settings/user-guild-settings.js'
import { userSettings } from '../../../domain/user-settings/user-settings.js'
import { oauth2Authorization } from '../../../domain/oauth2-authorization/oauth2-authorization.js'
import { destroyedKeys, sampleKeys } from './sample-keys.js'
import { samples } from './samples.js'

const codec = eventCodec(sampleKeys)

/** What the totality of `evolve` needs of a decider, whatever its events are. */
interface Evolver {
  readonly category: Category
  readonly initial: unknown
  readonly evolve: (state: never, event: never) => unknown
}

const evolvers: Readonly<Record<Category, Evolver>> = {
  account,
  admin_audit: adminAudit,
  admin_key: adminKey,
  application,
  blocklist_entry: blocklistEntry,
  direct_channel: directChannel,
  email_address: emailAddress,
  guild,
  guild_audit: guildAudit,
  handle,
  instance,
  invite,
  membership,
  network_ban: networkBan,
  private_channel: privateChannel,
  registration_url: registrationUrl,
  relationship,
  single_sign_on_identity: singleSignOnIdentity,
  user_guild_settings: userGuildSettings,
  thread,
  user_settings: userSettings,
  oauth2_authorization: oauth2Authorization,
}

describe('released events', () => {
  it('have a sample of every type and version, and there is none of any other', () => {
    const released = categories.flatMap((category) =>
      Object.entries(eventCatalogs[category].events).flatMap(([type, { version }]) =>
        Array.from({ length: version }, (_, older) => `${category}/${type}.v${older + 1}`),
      ),
    )
    const sampled = samples.map(({ category, type, version }) => `${category}/${type}.v${version}`)
    expect(new Set(sampled)).toEqual(new Set(released))
  })

  it.each(samples)(
    'read as the current version of their type: $name',
    async ({ category, type, version, stored, reads }) => {
      expect(categoryOf(stored.stream)).toBe(category)
      expect(stored.metadata).toMatchObject({ schemaVersion: version })
      const [event] = await codec.decode([stored])
      expect(event).toMatchObject({ type, metadata: { eventId: stored.eventId, at: '2026-11-20T12:30:15.250Z' } })
      expect(event?.data).toStrictEqual(reads)
    },
  )

  it('have the reason, where that is sealed, for as long as there is the key', async () => {
    const sealed = samples.filter(({ stored }) => Object.hasOwn(Object(stored.metadata), 'sealedReason'))
    expect(sealed.map(({ name }) => name)).toStrictEqual(['membership/MemberKicked.v1.reason'])
    for (const { stored } of sealed) {
      expect(await codec.decode([stored])).toMatchObject([{ metadata: { reason: 'shouted' } }])
      expect((await eventCodec(destroyedKeys).decode([stored]))[0]?.metadata).not.toHaveProperty('reason')
    }
  })

  it.each(samples)('hold personal data sealed alone: $name', ({ category, type, stored, reads, inTheClear }) => {
    const personal = eventCatalogs[category].events[type]?.personal ?? []
    for (const member of personal.filter((name) => !inTheClear.includes(name))) {
      const [kept, read] = [Object(stored.data)[member], Object(reads)[member]]
      // Members that were added since, and those of some events alone.
      if (kept === undefined && read === undefined) continue
      expect(kept).toEqual(read === null ? null : { $sealed: expect.stringMatching(/^v1\./) })
    }
  })
})

describe.each(categories)('evolve of %s', (category) => {
  const { initial, evolve } = evolvers[category]
  const stored = samples.filter((sample) => sample.category === category).map((sample) => sample.stored)
  const evolved = (state: unknown, event: DomainEvent): unknown => evolve(state as never, event as never)

  it('takes every event ever released in any order, with personal data and without', async () => {
    expect(evolvers[category].category).toBe(category)
    const events = [...(await codec.decode(stored)), ...(await eventCodec(destroyedKeys).decode(stored))]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (history) => {
        const state = history.reduce(evolved, initial)
        expect(state).toMatchObject({ status: expect.any(String) })
        // Plain JSON, so that it can be snapshotted.
        expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state)
      }),
    )
  })
})
