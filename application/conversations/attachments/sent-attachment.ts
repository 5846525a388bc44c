/** What the body of a message says of a file. */
export interface SentAttachment {
  /** The number of the file in the form, or the id of an attachment that the message has already. */
  readonly id: string
  /** What it was uploaded as before the message; undefined for a file of the form, or one that the message has already. */
  readonly uploadFilename: string | undefined
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

/** Whether it names a file that was uploaded before the message. */
export function isUploaded({ uploadFilename }: SentAttachment): boolean {
  return uploadFilename !== undefined
}
