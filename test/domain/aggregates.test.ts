import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account } from '../../domain/account/account.js'
import { accountEvents } from '../../domain/account/events.js'
import { adminAudit } from '../../domain/admin-audit/admin-audit.js'
import { adminAuditEvents } from '../../domain/admin-audit/events.js'
import { adminKey } from '../../domain/admin-key/admin-key.js'
import { adminKeyEvents } from '../../domain/admin-key/events.js'
import { blocklistEntry } from '../../domain/blocklist-entry/blocklist-entry.js'
import { blocklistEntryEvents } from '../../domain/blocklist-entry/events.js'
import { directChannel } from '../../domain/direct-channel/direct-channel.js'
import { directChannelEvents } from '../../domain/direct-channel/events.js'
import { emailAddress } from '../../domain/email-address/email-address.js'
import { applicationEvents } from '../../domain/application/events.js'
import { application } from '../../domain/application/application.js'
import { emailAddressEvents } from '../../domain/email-address/events.js'
import { guildEvents } from '../../domain/guild/events.js'
import { guild } from '../../domain/guild/guild.js'
import { guildAuditEvents } from '../../domain/guild-audit/events.js'
import { guildAudit } from '../../domain/guild-audit/guild-audit.js'
import { handleEvents } from '../../domain/handle/events.js'
import { handle } from '../../domain/handle/handle.js'
import { inviteEvents } from '../../domain/invite/events.js'
import { instanceEvents } from '../../domain/instance/events.js'
import { instance } from '../../domain/instance/instance.js'
import { invite } from '../../domain/invite/invite.js'
import type { EventCatalog } from '../../domain/kernel/event-catalog.js'
import { fold, type Decider, type DomainEvent } from '../../domain/kernel/decider.js'
import { errorCodes } from '../../domain/kernel/error-codes.js'
import { categories } from '../../domain/kernel/streams.js'
import { membershipEvents } from '../../domain/membership/events.js'
import { membership } from '../../domain/membership/membership.js'
import { networkBanEvents } from '../../domain/network-ban/events.js'
import { networkBan } from '../../domain/network-ban/network-ban.js'
import { privateChannelEvents } from '../../domain/private-channel/events.js'
import { privateChannel } from '../../domain/private-channel/private-channel.js'
import { registrationUrlEvents } from '../../domain/registration-url/events.js'
import { registrationUrl } from '../../domain/registration-url/registration-url.js'
import { relationshipEvents } from '../../domain/relationship/events.js'
import { relationship } from '../../domain/relationship/relationship.js'
import { singleSignOnIdentityEvents } from '../../domain/single-sign-on-identity/events.js'
import { singleSignOnIdentity } from '../../domain/single-sign-on-identity/single-sign-on-identity.js'
import { threadEvents } from '../../domain/thread/events.js'
import { thread } from '../../domain/thread/thread.js'
import { userGuildSettingsEvents } from '../../domain/user-guild-settings/events.js'
import { userGuildSettings } from '../../domain/user-guild-settings/user-guild-settings.js'
import { userSettingsEvents } from '../../domain/user-settings/events.js'
import { userSettings } from '../../domain/user-settings/user-settings.js'
import { oauth2AuthorizationEvents } from '../../domain/oauth2-authorization/events.js'
import { oauth2Authorization } from '../../domain/oauth2-authorization/oauth2-authorization.js'
import { histories, property } from '../support/given-when-then.js'
import { chance, type Chance } from '../support/load-random.js'
import { accountCommands } from './account-arbitraries.js'
import { applicationCommands, botCommands } from './application/application-commands.js'
import { oauth2AuthorizationCommands } from './oauth2-authorization/oauth2-authorization-commands.js'
import { adminAuditCommands, adminKeyCommands } from './admin-arbitraries.js'
import * as commands from './arbitraries.js'
import { userGuildSettingsCommands, userSettingsCommands } from './settings-arbitraries.js'
import { guildAuditCommands } from './guild-audit/guild-audit-commands.js'
import { directChannelCommands, privateChannelCommands } from './private-channel/private-channel-commands.js'
import { relationshipCommands } from './relationship/relationship-commands.js'
import { threadCommands } from './thread/thread-commands.js'
import { instanceCommands } from './instance/instance-commands.js'

/**
 * A write that is told whether or not it changes anything is recorded, with nothing in it, or with the same before and after
 * (reference gateway 5.1, 5.3). That messages are gone is noted by whoever removed them, again where it was done again; and places
 * among siblings count anew after the moves that came before them.
 */
const toldAnyway: readonly string[] = ['RoleChanged', 'ChannelChanged', 'ChannelOverwritesChanged']
const tellsOfAChange = ({ type, data }: DomainEvent): boolean => {
  if (type === 'ChannelMessagesRemoved' || type === 'ChannelMoved') return false
  if (!toldAnyway.includes(type) || !('after' in data) || !('before' in data)) return true
  return JSON.stringify(data.after) !== JSON.stringify(data.before)
}

/** What holds for every aggregate, whatever happens to it. */
function aggregate<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  catalog: EventCatalog<Event>,
  arbitrary: fc.Arbitrary<Command>,
): void {
  const lives = fc.record({
    history: histories(decider, arbitrary),
    seed: fc.noShrink(fc.nat()),
    cut: fc.nat(),
  })

  describe(`every ${decider.category}`, () => {
    it('has a category and a catalog of its own', () => {
      expect(categories).toContain(decider.category)
      expect(catalog.category).toBe(decider.category)
    })

    property('lets a command that was decided change nothing the second time', lives, ({ history: { steps } }) => {
      for (const { command, decision, after } of steps) {
        const again = decider.decide(after, command)
        if (decision.outcome === 'refused') expect(again).toStrictEqual(decision)
        else if (again.outcome === 'accepted' && again.events.length > 0)
          expect(again.events.filter(tellsOfAChange)).toStrictEqual([])
      }
    })

    property(
      'refuses with codes of the contract, and with fields for a form body alone',
      lives,
      ({ history: { steps } }) => {
        const wrong = steps.filter(({ decision }) => {
          if (decision.outcome === 'accepted') return false
          const { code, fields } = decision.refusal
          const takesFields = ['INVALID_FORM_BODY', 'VALIDATION_ERROR'].includes(code)
          return !Object.hasOwn(errorCodes, code) || fields.length > 0 !== takesFields
        })
        expect(wrong).toStrictEqual([])
      },
    )

    property('raises only events that are in its catalog', lives, ({ history: { events } }) => {
      const unknown = events.filter(({ type }) => !Object.hasOwn(catalog.events, type))
      expect(unknown).toStrictEqual([])
    })

    property('has states and events that are plain JSON', lives, ({ history: { steps, events } }) => {
      const states = new Set(steps.map(({ after }) => after))
      for (const state of states) expect(throughJson(state)).toStrictEqual(state)
      expect(throughJson(events)).toStrictEqual(events)
    })

    property('leaves the states and commands that it was given as they were', lives, ({ history: { steps } }) => {
      for (const { before, command, events } of steps) {
        // They are frozen, so whoever changed one would throw.
        decider.decide(before, command)
        fold(decider, events, before)
      }
      const given = steps.flatMap(({ before, command, events }) => [before, command, events])
      expect(given.filter((value) => !Object.isFrozen(value))).toStrictEqual([])
    })

    property('makes a plain state of its events in any order', lives, ({ history: { events }, seed }) => {
      const state = fold(decider, inDisorder([...events, ...events], chance(seed)))
      expect(throughJson(state)).toStrictEqual(state)
    })

    property('comes to the same state from a snapshot on', lives, ({ history: { events, state }, cut }) => {
      const revision = cut % (events.length + 1)
      const snapshot = throughJson(fold(decider, events.slice(0, revision))) as State
      expect(fold(decider, events.slice(revision), snapshot)).toStrictEqual(state)
    })
  })
}

/** Some of these, in any order. */
function inDisorder<Value>(values: readonly Value[], draws: Chance): readonly Value[] {
  const drawn = values.map((value) => ({ value, place: draws.next() })).filter(() => draws.next() < 0.75)
  return drawn.toSorted((one, other) => one.place - other.place).map(({ value }) => value)
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('the categories', () => {
  it('are those of the aggregates, each once', () => {
    const deciders = [
      account,
      adminAudit,
      adminKey,
      application,
      blocklistEntry,
      directChannel,
      emailAddress,
      guild,
      guildAudit,
      handle,
      instance,
      invite,
      membership,
      networkBan,
      oauth2Authorization,
      privateChannel,
      registrationUrl,
      relationship,
      singleSignOnIdentity,
      thread,
      userGuildSettings,
      userSettings,
    ]
    expect(deciders.map(({ category }) => category)).toStrictEqual([...categories])
  })
})

aggregate(account, accountEvents, fc.oneof(accountCommands, botCommands))
aggregate(adminAudit, adminAuditEvents, adminAuditCommands)
aggregate(adminKey, adminKeyEvents, adminKeyCommands)
aggregate(application, applicationEvents, applicationCommands)
aggregate(blocklistEntry, blocklistEntryEvents, commands.blocklistEntryCommands)
aggregate(directChannel, directChannelEvents, directChannelCommands)
aggregate(emailAddress, emailAddressEvents, commands.emailAddressCommands)
aggregate(thread, threadEvents, threadCommands)
aggregate(guild, guildEvents, commands.guildCommands)
aggregate(guildAudit, guildAuditEvents, guildAuditCommands)
aggregate(handle, handleEvents, commands.handleCommands)
aggregate(instance, instanceEvents, instanceCommands)
aggregate(invite, inviteEvents, commands.inviteCommands)
aggregate(membership, membershipEvents, commands.membershipCommands)
aggregate(singleSignOnIdentity, singleSignOnIdentityEvents, commands.singleSignOnIdentityCommands)
aggregate(networkBan, networkBanEvents, commands.networkBanCommands)
aggregate(privateChannel, privateChannelEvents, privateChannelCommands)
aggregate(registrationUrl, registrationUrlEvents, commands.registrationUrlCommands)
aggregate(relationship, relationshipEvents, relationshipCommands)
aggregate(userGuildSettings, userGuildSettingsEvents, userGuildSettingsCommands)
aggregate(userSettings, userSettingsEvents, userSettingsCommands)
aggregate(oauth2Authorization, oauth2AuthorizationEvents, oauth2AuthorizationCommands)
