import { downloadBounds } from '../archives/archive-answer.ts'
import { attachmentBounds } from '../media/attachment-answer.ts'
import { relayBounds } from '../media/relay-answer.ts'
import { sharesWithin, type ShareBounds, type Shares } from '../request/shares/shares.ts'

/** The slots of files on their way, which take longer than other answers and bodies. */
export interface FileSlots {
  /** Of archives to those who download them. */
  readonly downloads: Shares
  /** Of attachments to clients. */
  readonly reads: Shares
  /** Of uploads that arrive before their messages. */
  readonly relays: Shares
}

/** `within` gives the bounds that hold in this process. */
export function fileSlots(within: (bounds: ShareBounds) => ShareBounds): FileSlots {
  return {
    downloads: sharesWithin(within(downloadBounds)),
    reads: sharesWithin(within(attachmentBounds)),
    relays: sharesWithin(within(relayBounds)),
  }
}
