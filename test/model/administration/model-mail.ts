/** A mail that the model expects an account to get. */
export interface ModelMail {
  readonly to: string
  readonly greeting: string
  readonly subject: string
  /** As an administrator wrote it for the holder. */
  readonly reason: string | null
  readonly says: string
}
