import type { AttachmentId, ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** What names the file of an attachment. Its id holds the time at which it was attached. */
export interface AttachmentName {
  readonly channelId: ChannelId
  readonly id: AttachmentId
  /** As `filenameOf` gives it. */
  readonly filename: string
}

/** The signed addresses at which attachments are read. An address is the credential. */
export interface AttachmentAddresses {
  /**
   * The address of an attachment: good for 12 to 24 hours, and the same for half a day, so that clients find it in their caches.
   * See rules/messages#addresses-of-files.
   */
  addressOf(name: AttachmentName, now: Timestamp): string
  /**
   * A new address for what an address of this instance names, good or not. Undefined for any other address. Whether the
   * attachment exists is not looked up.
   */
  renewed(address: string, now: Timestamp): string | undefined
}
