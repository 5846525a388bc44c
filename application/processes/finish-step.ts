import type { AccountErased, AccountErasureStarted } from '../../domain/account/erasure-events.ts'
import type { SingleSignOnUnlinked } from '../../domain/account/events.ts'
import type { AccountDeletionScheduled } from '../../domain/account/standing-events.ts'
import type { ApplicationDeleted } from '../../domain/application/events.ts'
import type { EmailAddressAwaited, EmailAddressClaimed } from '../../domain/email-address/events.ts'
import type { ChannelDeleted } from '../../domain/guild/channel-events.ts'
import type { GuildCreated, GuildDeleted } from '../../domain/guild/events.ts'
import type { HandleClaimed } from '../../domain/handle/events.ts'
import type { CustomCodeClaim, GroupInviteRedeemed, InviteRedeemed } from '../../domain/invite/events.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { GroupDeleted } from '../../domain/private-channel/events.ts'
import type { RegistrationUrlUse } from '../../domain/registration-url/events.ts'
import type { SingleSignOnIdentityClaimed } from '../../domain/single-sign-on-identity/events.ts'
import type { MemberJoined } from '../../domain/membership/events.ts'
import { finishAdminAction, type UnrecordedAction } from '../administration/audit/finish-admin-action.ts'
import { eraseBot } from '../apps/applications/delete-application.ts'
import { removeMessagesOfChannel } from '../communities/channels/remove-messages.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { finishingContext } from '../commands/following-context.ts'
import { settleListing, type Decision } from '../communities/discovery/settle-listing.ts'
import { clearAfterGuild } from '../communities/guilds/clear-after-guild.ts'
import { anonymiseMessages, type AnonymisingLimits } from '../identity/erasure/anonymise-messages.ts'
import { finishErasure } from '../identity/erasure/finish-erasure.ts'
import { revokeSubscriptions } from '../identity/purchases/end-subscriptions.ts'
import { settleCustomCode } from '../communities/invites/codes/custom-codes.ts'
import { removeGroupMessages } from '../conversations/private-channels/leave-group.ts'
import type { StepReference } from '../ports/jobs.ts'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.ts'
import { finishAdmission, finishGroupAdmission } from './finish-admission.ts'
import { finishAddressClaim, finishHandleClaim, finishIdentityClaim, finishUrlUse } from './finish-claims.ts'
import { finishBotInstallation } from './finish-bot-installation.ts'
import { finishGift } from './finish-gift.ts'
import { finishFounding } from './finish-founding.ts'
import { finishPurchase } from './finish-purchase.ts'
import type { FinishingNeeds } from './finishing-needs.ts'

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
