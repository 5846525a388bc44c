/** The parsed body of Create channel invite, with defaults for null and absent members. */
export interface InviteWishes {
  /** 0-100; 0 for no limit. */
  readonly maxUses: number
  /** Seconds, 0-604800; 0 for an invite that never expires. */
  readonly maxAge: number
  readonly unique: boolean
  readonly temporary: boolean
}
