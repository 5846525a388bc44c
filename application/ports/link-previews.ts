import type { Embed } from '../../domain/messages/embeds.ts'

/** What pages at other servers say of themselves, and the pictures that they have. */
export interface LinkPreviews {
  /** Whether the instance fetches pages at all. */
  readonly isOn: boolean
  /**
   * The preview of a page; undefined if there is none, if the address may not be asked, or if the page does not answer in time. Rejects
   * only once `signal` aborts.
   */
  of(url: string, signal: AbortSignal): Promise<Embed | undefined>
  /**
   * The bytes of what may be a picture, within the same bounds; undefined if there is none, and where nothing is fetched. Rejects with
   * Unavailable while too many others wait for theirs.
   */
  picture(url: string): Promise<Uint8Array | undefined>
}
