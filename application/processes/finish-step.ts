import type { AccountErased, AccountErasureStarted } from '../../domain/account/erasure-events.js'
import type { SingleSignOnUnlinked } from '../../domain/account/events.js'
import type { AccountDeletionScheduled } from '../../domain/account/standing-events.js'
import type { ApplicationDeleted } from '../../domain/application/events.js'
import type { EmailAddressAwaited, EmailAddressClaimed } from '../../domain/email-address/events.js'
import type { ChannelDeleted } from '../../domain/guild/channel-events.js'
import type { GuildCreated, GuildDeleted } from '../../domain/guild/events.js'
import type { HandleClaimed } from '../../domain/handle/events.js'
import type { CustomCodeClaim, GroupInviteRedeemed, InviteRedeemed } from '../../domain/invite/events.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { GroupDeleted } from '../../domain/private-channel/events.js'
import type { RegistrationUrlUse } from '../../domain/registration-url/events.js'
import type { SingleSignOnIdentityClaimed } from '../../domain/single-sign-on-identity/events.js'
import type { MemberJoined } from '../../domain/membership/events.js'
import { finishAdminAction, type UnrecordedAction } from '../administration/audit/finish-admin-action.js'
import { eraseBot } from '../apps/applications/delete-application.js'
import { removeMessagesOfChannel } from '../communities/channels/remove-messages.js'
import type { CommandContext } from '../commands/command-context.js'
import { finishingContext } from '../commands/following-context.js'
import { settleListing, type Decision } from '../communities/discovery/settle-listing.js'
import { clearAfterGuild } from '../communities/guilds/clear-after-guild.js'
import { anonymiseMessages, type AnonymisingLimits } from '../identity/erasure/anonymise-messages.js'
import { finishErasure } from '../identity/erasure/finish-erasure.js'
import { revokeSubscriptions } from '../identity/purchases/end-subscriptions.js'
import { settleCustomCode } from '../communities/invites/codes/custom-codes.js'
import { removeGroupMessages } from '../conversations/private-channels/leave-group.js'
import type { StepReference } from '../ports/jobs.js'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.js'
import { finishAdmission, finishGroupAdmission } from './finish-admission.js'
import { finishAddressClaim, finishHandleClaim, finishIdentityClaim, finishUrlUse } from './finish-claims.js'
import { finishBotInstallation } from './finish-bot-installation.js'
import { finishGift } from './finish-gift.js'
import { finishFounding } from './finish-founding.js'
import { finishPurchase } from './finish-purchase.js'
import type { FinishingNeeds } from './finishing-needs.js'

/** Longer than any request lives: the process that began such a step no longer works on it. */
export const requestLife_ms = 120_000

const unlimited: AnonymisingLimits = { signal: new AbortController().signal, requestLife_ms }

/**
 * Finishes the referenced step, and resolves once the read models hold it; false if nothing is left to finish, or if it goes on
 * later. Safe to repeat, by any number of processes: the step's commands derive from the event that began it. Rejects if the step
 * cannot be finished yet, and between the batches of a long one once `signal` aborts: the next try goes on.
 */
export function finishStep(ports: FinishingNeeds) {
  return async (
    { process, key, eventId }: StepReference,
    now: Timestamp,
    limits: Partial<AnonymisingLimits> = {},
  ): Promise<boolean> => {
    const step = await ports.queries.unfinished.find(process, key)
    // A new step may have begun under the key of a finished one; its request is still working on it.
    if (step?.eventId !== eventId) return false
    return finishFound(ports, step, now, { ...unlimited, ...limits })
  }
}

type Finish = (
  ports: FinishingNeeds,
  step: { readonly key: string; readonly data: unknown },
  context: CommandContext,
  limits: AnonymisingLimits,
) => Promise<unknown>

/** How each process ends its steps. The data of a step is that of the event that began it, or of its metadata. */
const finishes: Readonly<Record<UnfinishedStep['process'], Finish>> = {
  admission: (ports, { data }, context) => finishAdmission(ports, data as InviteRedeemed, context),
  group_admission: (ports, { data }, context) => finishGroupAdmission(ports, data as GroupInviteRedeemed, context),
  custom_code: (ports, { data }, context) => settleCustomCode(ports, data as CustomCodeClaim, context),
  bot_installation: (ports, { data }, context) => finishBotInstallation(ports, data as MemberJoined, context),
  founding: (ports, { data }, context) => finishFounding(ports, data as GuildCreated, context),
  handle_claim: (ports, { data }, context) => finishHandleClaim(ports, data as HandleClaimed, context),
  address_claim: (ports, { data }, context) =>
    finishAddressClaim(ports, data as EmailAddressClaimed | EmailAddressAwaited, context),
  registration_url_use: (ports, { data }, context) => finishUrlUse(ports, data as RegistrationUrlUse, context),
  identity_claim: (ports, { data }, context) =>
    finishIdentityClaim(ports, data as SingleSignOnIdentityClaimed | SingleSignOnUnlinked, context),
  bot_erasure: (ports, { data }, context) => eraseBot(ports, (data as ApplicationDeleted).applicationId, context),
  erasure: (ports, { data }, context) => finishErasure(ports, data as AccountErasureStarted, context),
  authored_messages: (ports, { data }, context, limits) =>
    anonymiseMessages(ports, (data as AccountErased).accountId, context, limits),
  group_messages: (ports, { data }, context) => removeGroupMessages(ports, (data as GroupDeleted).channelId, context),
  channel_messages: (ports, { data }, context) => removeMessagesOfChannel(ports, data as ChannelDeleted, context),
  guild_messages: (ports, { data }, context) => clearAfterGuild(ports, data as GuildDeleted, context),
  discovery_listing: (ports, { data }, context) => settleListing(ports, data as Decision, context),
  gift_redemption: (ports, { key }, context) => finishGift(ports, key, context),
  gift_refund: (ports, { key }, context) => finishGift(ports, key, context),
  store_purchase: (ports, { key }, context) => finishPurchase(ports, key, context),
  store_billing: (ports, { data }, context) =>
    revokeSubscriptions(ports, (data as AccountDeletionScheduled).accountId, context),
  admin_action: (ports, { data }, context) => finishAdminAction(ports, data as UnrecordedAction, context),
}

/** Finishes an unfinished step; false if it goes on later. */
export async function finishFound(
  ports: FinishingNeeds,
  step: UnfinishedStep,
  now: Timestamp,
  limits = unlimited,
): Promise<boolean> {
  const context = finishingContext(step, step.process, now)
  const outcome = await finishes[step.process](ports, step, context, limits)
  await ports.readModels.reached(context.written)
  return outcome !== 'later'
}
