/** A mail server that an operator thinks of using. */
export interface MailServerToTest {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** Whether the connection is encrypted from the beginning; else it has to become so before the password is sent. */
  readonly secure: boolean
}

/**
 * Connects to a mail server and signs in, without sending anything. Gives what went wrong, in words without the password;
 * undefined where nothing did. Takes `mailServerTest_ms_max` at most, and never rejects.
 */
export type TestMailServer = (server: MailServerToTest) => Promise<string | undefined>

export const mailServerTest_ms_max = 10_000
