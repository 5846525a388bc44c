import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { AdminAuditEvent } from '../../domain/admin-audit/events.ts'
import type { ApplicationEvent } from '../../domain/application/events.ts'
import type { DiscoveryApplicationEvent } from '../../domain/discovery-application/events.ts'
import type { EmailAddressEvent } from '../../domain/email-address/events.ts'
import type { GiftEvent } from '../../domain/gift/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { HandleEvent } from '../../domain/handle/events.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { CustomCodeClaim, InviteEvent } from '../../domain/invite/events.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import type { PrivateChannelEvent } from '../../domain/private-channel/events.ts'
import type { RegistrationUrlEvent } from '../../domain/registration-url/events.ts'
import type { SingleSignOnIdentityEvent } from '../../domain/single-sign-on-identity/events.ts'
import type { StorePurchaseEvent } from '../../domain/store-purchase/events.ts'
import { changesOthers } from '../../domain/store-purchase/evolve.ts'
import { idOf } from '../../domain/streams.ts'
import { projection, removeWhere, type RowChange } from '../runner/projection.ts'
import { begun, ended, type EndedWith } from './steps.ts'

type Events =
  | InviteEvent
  | MembershipEvent
  | GuildEvent
  | HandleEvent
  | EmailAddressEvent
  | RegistrationUrlEvent
  | SingleSignOnIdentityEvent
  | AccountEvent
  | AdminAuditEvent
  | ApplicationEvent
  | PrivateChannelEvent
  | DiscoveryApplicationEvent
  | GiftEvent
  | StorePurchaseEvent

/** A decision about an application to the directory, by its number. */
interface Decision {
  readonly guildId: GuildId
  readonly decision: number
}

/**
 * Steps that are begun and not finished.
 *
 * - admission: an invite's use was taken. It ends when the account has joined by it, when the use is returned, and when nothing
 *   is left to return it to: the invite or the guild is deleted.
 * - group_admission: the same for an invite to a group. It ends when the account is a recipient by it, when the use is returned,
 *   and when the invite is deleted.
 * - custom_code: a claim of a custom code that its guild has not set, or no longer has. It ends when the guild sets the code by
 *   this claim, and when the claim is returned.
 * - bot_installation: a bot has joined with its own role. It ends when that role exists, and when the bot has left or the guild
 *   is deleted.
 * - founding: a guild was created. It ends when its owner has joined, or the guild is deleted.
 * - handle_claim: a tag was claimed. It ends when an account is registered with it, when it is released, and when the tag that it
 *   replaces is released. If the account changed to another tag before, the step stays unfinished.
 * - address_claim: an e-mail address was claimed, or an account waits for the claim. It ends when its account is registered, when
 *   it is released, and when the address that it replaces is released. An account's address is personal and cannot be queried
 *   here, so registering, and getting a first address, ends all claims of the account that replace no other. An account that
 *   waited has the address already when it gets the claim: that begins nothing.
 * - registration_url_use: a use of a registration URL was taken. It ends when its account is registered, or it is returned.
 * - identity_claim: an identity at an OpenID provider was claimed, or its account lost it. It ends when its account is linked to it,
 *   and when it is released.
 * - erasure: the erasure of an account has started. It ends when everything of its holder is gone.
 * - authored_messages: an account was erased. It ends when its messages have an anonymous author.
 * - bot_erasure: an application was deleted. It ends when the erasure of its bot's account has started.
 * - group_messages: a group has ended. It ends when its messages are deleted.
 * - channel_messages: a guild channel was deleted. It ends when its messages are deleted.
 * - guild_messages: a guild was deleted. It ends when its images and the messages of its channels are deleted.
 * - discovery_listing: an application to the directory was made, approved, removed, restored or withdrawn. It ends when the guild's
 *   features agree with the application.
 * - gift_redemption: an account redeems a gift. It ends when the account has the time, and when the redemption is undone.
 * - gift_refund: the purchase of a redeemed gift was refunded, or that was reversed. It ends when the account has followed.
 * - store_purchase: a purchase changed. It ends when accounts and gifts follow it.
 * - store_billing: an administrator scheduled the deletion of an account with subscriptions. It ends when those are revoked.
 * - admin_action: an administrator's request wrote an event. It ends with its entry in the admin audit log, and when the request
 *   was refused after all.
 */
export const unfinishedProjection = projection<Events>({
  name: 'unfinished',
  answers: 'Steps that have begun and not finished, for the process managers.',
  version: 7,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { steps: ['process', 'key'] },
  onEvery: ({ metadata, ...event }) => {
    const { adminAction, reason = null, at } = metadata
    if (!adminAction) return []
    const data = { ...adminAction, reason, actedAt: at }
    return [begun('admin_action', adminAction.entryId, { ...event, metadata, data }, {})]
  },
  on: {
    AdminActionRecorded: ({ data }) => [ended('admin_action', data.entryId)],
    AdminActionRefused: ({ data }) => [ended('admin_action', data.entryId)],
    InviteRedeemed: (event) => {
      const { redemptionId, guildId, code } = event.data
      return [begun('admission', redemptionId, event, { guild_id: guildId, invite_code: code })]
    },
    InviteRedemptionReturned: ({ data: { redemptionId } }) => [
      ended('admission', redemptionId),
      ended('group_admission', redemptionId),
    ],
    InviteDeleted: ({ data }) => [removeWhere('steps', { invite_code: data.code })],
    GroupInviteRedeemed: (event) => {
      const { redemptionId, code } = event.data
      return [begun('group_admission', redemptionId, event, { invite_code: code })]
    },
    GroupInviteDeleted: ({ data }) => [removeWhere('steps', { invite_code: data.code })],
    GroupRecipientAdded: ({ data: { redemptionId } }) =>
      redemptionId === undefined ? [] : [ended('group_admission', redemptionId)],
    CustomCodeClaimed: (event) => [begun('custom_code', claimOf(event.data), event, {})],
    CustomCodeReleased: ({ data }) => [ended('custom_code', claimOf(data))],
    VanityCodeChanged: (event) => {
      const { guildId, before, after } = event.data
      return [
        ...(before ? [letGo({ ...before, guildId }, event)] : []),
        ...(after ? [ended('custom_code', claimOf(after))] : []),
      ]
    },
    GuildCreated: (event) => [begun('founding', event.data.guildId, event, { guild_id: event.data.guildId })],
    GuildDeleted: (event) => {
      const { guildId, customCode } = event.data
      return [
        removeWhere('steps', { guild_id: guildId }),
        begun('guild_messages', guildId, event, {}),
        ...(customCode ? [letGo({ ...customCode, guildId }, event)] : []),
      ]
    },
    ChannelDeleted: (event) => [begun('channel_messages', event.data.channel.id, event, {})],
    ChannelMessagesRemoved: ({ data: { guildId, channelIds, ofGuild } }) =>
      ofGuild ? [ended('guild_messages', guildId)] : channelIds.map((id) => ended('channel_messages', id)),
    MemberJoined: (event) => {
      const { admission, guildId, accountId } = event.data
      if (admission.by === 'founding') return [ended('founding', guildId)]
      if (admission.by === 'invite') return [ended('admission', admission.redemptionId)]
      if (admission.by !== 'bot_installation' || admission.role === null) return []
      return [begun('bot_installation', admission.role.id, event, { guild_id: guildId, account_id: accountId })]
    },
    RoleCreated: ({ data }) => [ended('bot_installation', data.role.id)],
    MemberLeft: ({ data }) => [installationEnded(data)],
    MemberKicked: ({ data }) => [installationEnded(data)],
    MemberBanned: ({ data }) => [installationEnded(data)],
    HandleClaimed: (event) => {
      const { replaces } = event.data
      const endedWith = replaces === undefined ? {} : { replaced: tagOf(replaces) }
      return [begun('handle_claim', tagOf(event.data), event, endedWith)]
    },
    HandleReleased: ({ data }) => [
      ended('handle_claim', tagOf(data)),
      removeWhere('steps', { replaced: tagOf(data), process: 'handle_claim' }),
    ],
    EmailAddressClaimed: (event) => {
      const { addressHash, accountId, replaces, awaited = false } = event.data
      return awaited ? [] : [begun('address_claim', addressHash, event, addressEnd(accountId, replaces))]
    },
    EmailAddressReleased: ({ data }) => [ended('address_claim', data.addressHash), ...addressLeft(data)],
    EmailAddressAwaited: (event) => {
      const { accountId, replaces } = event.data
      return [begun('address_claim', addressOf(event.data), event, addressEnd(accountId, replaces))]
    },
    EmailAddressNoLongerAwaited: ({ data }) => addressLeft(data),
    EmailAddressChanged: ({ data }) => [removeWhere('steps', { account_id: data.accountId })],
    RegistrationUrlUsed: (event) => {
      const { accountId } = event.data
      return [begun('registration_url_use', accountId, event, { account_id: accountId })]
    },
    RegistrationUrlUseReturned: ({ data }) => [ended('registration_url_use', data.accountId)],
    SingleSignOnIdentityClaimed: (event) => [begun('identity_claim', event.data.identityHash, event, {})],
    SingleSignOnIdentityReleased: ({ data }) => [ended('identity_claim', data.identityHash)],
    SingleSignOnLinked: ({ data }) => [ended('identity_claim', data.identityHash)],
    SingleSignOnUnlinked: (event) => [begun('identity_claim', event.data.identityHash, event, {})],
    ApplicationDeleted: (event) => [begun('bot_erasure', event.data.applicationId, event, {})],
    AccountErasureStarted: (event) => [
      ended('bot_erasure', event.data.accountId),
      ended('store_billing', event.data.accountId),
      begun('erasure', event.data.accountId, event, {}),
    ],
    GiftRedemptionBegan: (event) => [begun('gift_redemption', event.data.gift, event, {})],
    GiftRedeemed: ({ data }) => [ended('gift_redemption', data.gift)],
    GiftRedemptionUndone: ({ data }) => [ended('gift_redemption', data.gift), ended('gift_refund', data.gift)],
    GiftRevoked: (event) => (event.data.accountId === null ? [] : [begun('gift_refund', event.data.gift, event, {})]),
    GiftReinstated: (event) =>
      event.data.accountId === null ? [] : [begun('gift_refund', event.data.gift, event, {})],
    GiftTimeTakenBack: ({ data }) => [ended('gift_refund', data.gift)],
    GiftTimeReturned: ({ data }) => [ended('gift_refund', data.gift)],
    StorePurchaseRead: unsettled,
    StorePurchaseLinked: unsettled,
    StorePurchaseReleased: unsettled,
    StorePurchaseSuperseded: unsettled,
    StorePurchaseVoided: unsettled,
    StorePurchaseCodeMinted: unsettled,
    StorePurchaseRefunded: unsettled,
    StorePurchaseReversed: unsettled,
    StorePurchaseSettled: ({ stream }) => [ended('store_purchase', idOf(stream))],
    AccountDeletionScheduled: (event) =>
      event.data.hasSubscriptions ? [begun('store_billing', event.data.accountId, event, {})] : [],
    AccountDeletionCancelled: ({ data }) => [ended('store_billing', data.accountId)],
    SubscriptionsRevoked: ({ data }) => [ended('store_billing', data.accountId)],
    AccountErased: (event) => [
      ended('erasure', event.data.accountId),
      begun('authored_messages', event.data.accountId, event, {}),
    ],
    MessagesAnonymised: ({ data }) => [ended('authored_messages', data.accountId)],
    GroupDeleted: (event) => [begun('group_messages', event.data.channelId, event, {})],
    DiscoveryApplied: (event) => [decisionBegun(event)],
    DiscoveryApplicationApproved: (event) => [decisionBegun(event)],
    DiscoveryListingRemoved: (event) => [decisionBegun(event)],
    DiscoveryListingRestored: (event) => [decisionBegun(event)],
    DiscoveryApplicationWithdrawn: (event) => [decisionBegun(event)],
    DiscoveryListingSettled: ({ data }) => [ended('discovery_listing', decisionOf(data))],
    GroupMessagesRemoved: ({ data }) => [ended('group_messages', data.channelId)],
    AccountRegistered: ({ data }) => [
      ended('handle_claim', tagOf(data)),
      removeWhere('steps', { account_id: data.accountId }),
    ],
  },
})

/** A purchase that accounts and gifts may have to follow. */
function unsettled(event: RecordedEvent<StorePurchaseEvent>): readonly RowChange[] {
  return changesOthers(event) ? [begun('store_purchase', idOf(event.stream), event, {})] : []
}

function decisionBegun(
  event: RecordedEvent<Extract<DiscoveryApplicationEvent, { readonly data: Decision }>>,
): RowChange {
  return begun('discovery_listing', decisionOf(event.data), event, {})
}

function decisionOf({ guildId, decision }: Decision): string {
  return `${guildId} ${decision}`
}

function installationEnded(data: { readonly guildId: GuildId; readonly accountId: AccountId }): RowChange {
  return removeWhere('steps', { process: 'bot_installation', guild_id: data.guildId, account_id: data.accountId })
}

/** A claim that its guild no longer holds must be returned. */
function letGo(data: CustomCodeClaim, event: RecordedEvent): RowChange {
  return begun('custom_code', claimOf(data), { ...event, data: { ...data } }, {})
}

function claimOf({ code, claim }: Pick<CustomCodeClaim, 'code' | 'claim'>): string {
  return `${code} ${claim}`
}

interface AddressOfAccount {
  readonly addressHash: string
  readonly accountId: AccountId
}

/** Two accounts may have one address, so an address that is given up is named with its account. */
function addressOf({ addressHash, accountId }: AddressOfAccount): string {
  return `${addressHash} ${accountId}`
}

/** What ends the claim of an address, besides its release. */
function addressEnd(accountId: AccountId, replaces: string | undefined): EndedWith {
  return replaces === undefined
    ? { account_id: accountId }
    : { replaced: addressOf({ addressHash: replaces, accountId }) }
}

/** The account does not have the address any more, whether it held the claim or waited for it. */
function addressLeft(left: AddressOfAccount): readonly RowChange[] {
  return [
    ended('address_claim', addressOf(left)),
    removeWhere('steps', { replaced: addressOf(left), process: 'address_claim' }),
  ]
}

function tagOf({ username, discriminator }: { readonly username: string; readonly discriminator: number }): string {
  return `${username.toLowerCase()}#${discriminator}`
}
