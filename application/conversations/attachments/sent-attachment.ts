/** What the body of a message says of a file. */
export interface SentAttachment {
  /** The number of the file in the form, or the id of an attachment that the message has already. */
  readonly id: string
  /** As `filenameOf` gives it; undefined if not given. */
  readonly filename: string | undefined
  /** Undefined if not given. */
  readonly title: string | null | undefined
  readonly description: string | null | undefined
  /** 8 spoiler, 16 explicit. */
  readonly flags: number
  readonly duration_s: number | undefined
  readonly waveform: string | undefined
}
