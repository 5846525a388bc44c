/** A mail server that an operator considers using. */
export interface MailServerToTest {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** Whether the connection is encrypted from the start. If not, it must become encrypted before the password is sent. */
  readonly secure: boolean
}

/**
 * Connects to a mail server and signs in, without sending anything. Gives the error in words of ours; undefined on
 * success. Takes `mailServerTest_ms_max` at most, and never rejects.
 */
export type TestMailServer = (server: MailServerToTest) => Promise<string | undefined>
