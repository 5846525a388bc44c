import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { fieldsOf } from '../../../domain/premium/premium.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { GuildWithMember } from '../../../application/ports/queries/guild-queries.ts'
import type { CustomUrlRecord, InviteRecord } from '../../../application/ports/queries/invite-queries.ts'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { noSecondFactors, type AccountState, type WebAuthnCredential } from '../../../domain/account/state.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild as guildDecider } from '../../../domain/guild/guild.ts'
import type { Guild, GuildState } from '../../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import { invite } from '../../../domain/invite/invite.ts'
import { expiresAt, isOfGuild, type InviteState } from '../../../domain/invite/state.ts'
import { categoryOf } from '../../../domain/streams.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import { membership } from '../../../domain/membership/membership.ts'
import type { Membership, MembershipState } from '../../../domain/membership/state.ts'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.ts'
import type { UserGuildSettingsState } from '../../../domain/user-guild-settings/state.ts'
import { userGuildSettings } from '../../../domain/user-guild-settings/user-guild-settings.ts'
import type { UserSettingsEvent } from '../../../domain/user-settings/events.ts'
import type { UserSettingsState } from '../../../domain/user-settings/state.ts'
import { userSettings } from '../../../domain/user-settings/user-settings.ts'
import { deletedAccount } from '../../../application/wire-objects/identity/deleted-account.ts'
import { ApplicationRows } from './application-rows.ts'
import { MemoryRegistrationUrls } from './registrations.ts'
import { ReportRows } from './report-rows.ts'
import { UnfinishedRows } from './unfinished-rows.ts'

/** The states that follow from the events. */
export class Rows {
  readonly accounts = new Map<string, AccountState>()
  readonly applications = new ApplicationRows()
  readonly overrides = new Map<AccountId, Partial<AccountRecord>>()
  readonly guilds = new Map<string, GuildState>()
  readonly members = new Map<string, MembershipState>()
  readonly invites = new Map<string, InviteState>()
  readonly registrationUrls = new MemoryRegistrationUrls()
  readonly reports = new ReportRows()
  readonly settings = new Map<string, UserSettingsState>()
  readonly guildSettings = new Map<string, UserGuildSettingsState>()
  readonly entries: GuildAuditEntry[] = []
  readonly unfinished = new UnfinishedRows()

  apply(event: RecordedEvent): void {
    const { stream } = event
    this.entries.push(...guildAuditEntriesOf(event))
    this.unfinished.apply(event)
    // The stream's category determines its events.
    switch (categoryOf(stream)) {
      case 'account':
        return void this.accounts.set(
          stream,
          account.evolve(this.accounts.get(stream) ?? account.initial, event as unknown as AccountEvent),
        )
      case 'application':
        return this.applications.apply(event)
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
      case 'report':
        return this.reports.apply(event)
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

  accountOfToken(tokenHash: string): AccountId | undefined {
    const states = [...this.accounts.values()].filter((state) => state.status === 'registered')
    return states.find(({ premium }) => premium.storeToken?.tokenHash === tokenHash)?.id
  }

  account(id: AccountId): AccountRecord | undefined {
    const state = this.accounts.get(`account-${id}`)
    if (state === undefined || state.status === 'absent') return undefined
    if (state.status !== 'registered') return { ...deletedAccount(id), flags: accountFlags.DELETED.toString() }
    const { botOwnerId } = state
    const owner = botOwnerId === null ? state : this.accounts.get(`account-${botOwnerId}`)
    const factors = owner?.status === 'registered' ? owner.secondFactors : noSecondFactors
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
      flags: state.flags,
      premiumFlags: state.premiumFlags,
      premium: fieldsOf(state.premium),
      everyoneHasPremium: false,
      traits: state.traits,
      bot: state.bot,
      system: state.system,
      botOwnerId,
      acls: state.acls,
      bannedUntil: state.bannedUntil,
      deletion: state.deletion,
      messageDeletion: state.messageDeletion,
      registeredAt: state.registeredAt,
      termsAcceptedAt: null,
      sharesVoiceActivity: state.voiceActivitySharing?.shared ?? false,
      voiceActivityChosenAt: state.voiceActivitySharing?.chosenAt ?? null,
      secondFactors: {
        totp: factors.totpSecret !== null,
        passkeys_count: factors.webAuthnCredentials.length,
        usesPasskeys: factors.usesPasskeys,
      },
      delegationVersion: state.delegationVersion,
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

  customUrls(): readonly CustomUrlRecord[] {
    return [...this.guilds.values()].flatMap((state) => {
      if (state.status !== 'active' || state.settings.vanityCode === null) return []
      return [{ code: state.settings.vanityCode, guildId: state.id, uses: 0 }]
    })
  }

  allInvites(): readonly InviteRecord[] {
    const standing = [...this.invites.values()].filter((state) => state.status === 'created')
    return standing.flatMap(({ terms, uses }) =>
      isOfGuild(terms) ? [{ ...terms, uses, expiresAt: expiresAt(terms) }] : [],
    )
  }
}
