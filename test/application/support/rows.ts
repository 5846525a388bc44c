import type { RecordedEvent } from '../../../application/ports/event-store.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import type { GuildWithMember } from '../../../application/ports/queries/guild-queries.js'
import type { InviteRecord } from '../../../application/ports/queries/invite-queries.js'
import { account } from '../../../domain/account/account.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { AccountState, WebAuthnCredential } from '../../../domain/account/state.js'
import { guildAuditEntryOf, type GuildAuditEntry } from '../../../domain/audit/guild-audit-entry.js'
import type { GuildEvent } from '../../../domain/guild/events.js'
import { guild as guildDecider } from '../../../domain/guild/guild.js'
import type { Guild, GuildState } from '../../../domain/guild/state.js'
import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { InviteEvent } from '../../../domain/invite/events.js'
import { invite } from '../../../domain/invite/invite.js'
import { expiresAt, type InviteState } from '../../../domain/invite/state.js'
import { categoryOf } from '../../../domain/kernel/streams.js'
import type { MembershipEvent } from '../../../domain/membership/events.js'
import { membership } from '../../../domain/membership/membership.js'
import type { Membership, MembershipState } from '../../../domain/membership/state.js'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.js'
import type { UserGuildSettingsState } from '../../../domain/user-guild-settings/state.js'
import { userGuildSettings } from '../../../domain/user-guild-settings/user-guild-settings.js'
import type { UserSettingsEvent } from '../../../domain/user-settings/events.js'
import type { UserSettingsState } from '../../../domain/user-settings/state.js'
import { userSettings } from '../../../domain/user-settings/user-settings.js'
import { unfinishedProjection } from '../../../projections/unfinished/projector.js'
import { MemoryRegistrationUrls } from './registrations.js'

/** What the events have come to. */
export class Rows {
  readonly accounts = new Map<string, AccountState>()
  readonly overrides = new Map<AccountId, Partial<AccountRecord>>()
  readonly guilds = new Map<string, GuildState>()
  readonly members = new Map<string, MembershipState>()
  readonly invites = new Map<string, InviteState>()
  readonly registrationUrls = new MemoryRegistrationUrls()
  readonly settings = new Map<string, UserSettingsState>()
  readonly guildSettings = new Map<string, UserGuildSettingsState>()
  readonly entries: GuildAuditEntry[] = []
  readonly steps = new Map<string, Readonly<Record<string, unknown>>>()

  apply(event: RecordedEvent): void {
    const { stream } = event
    const entry = guildAuditEntryOf(event)
    if (entry) this.entries.push(entry)
    this.#changeSteps(event)
    // The stream's category says which events it holds.
    switch (categoryOf(stream)) {
      case 'account':
        return void this.accounts.set(
          stream,
          account.evolve(this.accounts.get(stream) ?? account.initial, event as unknown as AccountEvent),
        )
      case 'guild':
        return void this.guilds.set(
          stream,
          guildDecider.evolve(this.guilds.get(stream) ?? guildDecider.initial, event as unknown as GuildEvent),
        )
      case 'membership':
        return void this.members.set(
          stream,
          membership.evolve(this.members.get(stream) ?? membership.initial, event as unknown as MembershipEvent),
        )
      case 'invite':
        return void this.invites.set(
          stream,
          invite.evolve(this.invites.get(stream) ?? invite.initial, event as unknown as InviteEvent),
        )
      case 'registration_url':
        return this.registrationUrls.apply(event)
      case 'user_settings':
        return void this.settings.set(
          stream,
          userSettings.evolve(this.settings.get(stream) ?? userSettings.initial, event as unknown as UserSettingsEvent),
        )
      case 'user_guild_settings':
        return void this.guildSettings.set(
          stream,
          userGuildSettings.evolve(
            this.guildSettings.get(stream) ?? userGuildSettings.initial,
            event as unknown as UserGuildSettingsEvent,
          ),
        )
      default:
        return undefined
    }
  }

  #changeSteps(event: RecordedEvent): void {
    for (const change of unfinishedProjection.project(event)) {
      if (change.change === 'put') this.steps.set(stepKey(change.row), change.row)
      if (change.change === 'remove') this.steps.delete(stepKey(change.key))
      if (change.change !== 'removeWhere') continue
      for (const [key, row] of this.steps) {
        if (Object.entries(change.columns).every(([column, value]) => row[column] === value)) this.steps.delete(key)
      }
    }
  }

  account(id: AccountId): AccountRecord | undefined {
    const state = this.accounts.get(`account-${id}`)
    if (state?.status !== 'registered') return undefined
    const { secondFactors: factors } = state
    return {
      id,
      username: state.username,
      discriminator: state.discriminator,
      profile: state.profile,
      email: state.email,
      emailVerified: state.emailVerified,
      emailBounced: state.emailBounced,
      isErased: false,
      hasPassword: state.passwordHash !== null,
      hasSingleSignOn: state.singleSignOn.length > 0,
      passwordChangedAt: null,
      dateOfBirth: state.dateOfBirth,
      locale: state.locale,
      flags: '0',
      bot: false,
      acls: state.acls,
      registeredAt: state.registeredAt,
      termsAcceptedAt: null,
      sharesVoiceActivity: state.voiceActivitySharing?.shared ?? false,
      voiceActivityChosenAt: state.voiceActivitySharing?.chosenAt ?? null,
      secondFactors: {
        totp: factors.totpSecret !== null,
        passkeys_count: factors.webAuthnCredentials.length,
        usesPasskeys: factors.usesPasskeys,
      },
      ...this.overrides.get(id),
    }
  }

  passkeysOf(state: AccountState | undefined): readonly WebAuthnCredential[] {
    return state?.status === 'registered' ? state.secondFactors.webAuthnCredentials : []
  }

  guild(id: GuildId): Guild | undefined {
    const state = this.guilds.get(`guild-${id}`)
    return state?.status === 'active' ? state : undefined
  }

  membersOf(id: GuildId): readonly Membership[] {
    return this.guild(id) ? this.allMembers().filter(({ guildId }) => guildId === id) : []
  }

  allMembers(): readonly Membership[] {
    return [...this.members.values()].filter((state) => state.status === 'member')
  }

  guildFor(id: GuildId, account: AccountId): GuildWithMember | undefined {
    const guild = this.guild(id)
    const members = this.membersOf(id)
    const member = members.find(({ accountId }) => accountId === account)
    return guild && { guild, member, memberCount: members.length }
  }

  allInvites(): readonly InviteRecord[] {
    const standing = [...this.invites.values()].filter((state) => state.status === 'created')
    return standing.map(({ terms, uses }) => ({ ...terms, uses, expiresAt: expiresAt(terms) }))
  }
}

export function stepKey(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([row['process'], row['key']])
}
