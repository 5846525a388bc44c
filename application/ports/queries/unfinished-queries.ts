import type { StreamName } from '../../../domain/streams.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** The process managers. */
export const unfinishedProcesses = [
  'admission',
  'group_admission',
  'custom_code',
  'bot_installation',
  'founding',
  'handle_claim',
  'address_claim',
  'registration_url_use',
  'identity_claim',
  'bot_erasure',
  'erasure',
  'authored_messages',
  'admin_action',
  'group_messages',
  'channel_messages',
  'guild_messages',
  'discovery_listing',
  'gift_redemption',
  'gift_refund',
  'store_purchase',
  'store_billing',
] as const

/**
 * A first step whose last step is not recorded yet. Usually the request that made it is still running. If its process died, a
 * process manager finishes it.
 */
export interface UnfinishedStep {
  /** Which process manager it belongs to. */
  readonly process: (typeof unfinishedProcesses)[number]
  /** Names the step within its process. */
  readonly key: string
  /** The event that began it. The finishing steps name it as their cause. */
  readonly eventId: string
  readonly correlationId: string
  readonly stream: StreamName
  readonly since: Timestamp
  /** The data of the event that began it. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface UnfinishedQueries {
  /** Steps that began before an instant, oldest first, at most `limit`; after `after` if it is given. */
  before(instant: Timestamp, limit: number, after?: UnfinishedStep): Promise<readonly UnfinishedStep[]>
  /** The step of a process and key; undefined if it is finished. */
  find(process: UnfinishedStep['process'], key: string): Promise<UnfinishedStep | undefined>
}
