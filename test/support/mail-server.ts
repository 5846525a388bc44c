import { once } from 'node:events'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { receivedMail, type ReceivedMail } from './received-mail.ts'

/** The step of the conversation at which the server refuses. */
export type MailStage = 'sender' | 'recipient' | 'message'

/** A local SMTP server, without TLS and without accounts. */
export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** How many mails clients have begun to send. */
  readonly attempts: number
  /** The most mails that it handled at once. */
  readonly atOnce: number
  /** Waits for the mail number `count`, from 1, to an address. Default: the newest so far. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>
  /** Answers with these codes, one for each mail, before it accepts mails again. */
  refuse(stage: MailStage, ...codes: readonly number[]): void
  /** Answers the next mail to an address with this code, whatever other mails come before. */
  refuseTo(address: string, code: number): void
  /** Accepts the text of mails and does not answer, until called again with false. */
  stall(isStalled: boolean): void
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refusals: Record<MailStage, number[]> = { sender: [], recipient: [], message: [] }
  const refusedAddresses = new Map<string, number>()
  const waiting = new Set<() => void>()
  const stalled: (() => void)[] = []
  let isStalled = false
  let attempts = 0
  let inHand = 0
  let atOnce = 0

  /** A server's answer about a refused recipient: it contains the address, which must not get into our logs. */
  function refusal(stage: MailStage, said: string): Error | null {
    return refusedWith(refusals[stage].shift(), said)
  }

  function refusalTo(address: string): Error | null {
    const code = refusedAddresses.get(address)
    refusedAddresses.delete(address)
    return refusedWith(code, address)
  }

  function take({ envelope }: SMTPServerSession, raw: string, answer: (error?: Error | null) => void): void {
    const to = envelope.rcptTo.map(({ address }) => address)
    const error = refusal('message', to.join())
    if (error) return answer(error)
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    received.push(receivedMail(from, to, raw))
    answer()
    for (const look of waiting) look()
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onMailFrom: ({ address }, _session, answer) => {
      attempts += 1
      answer(refusal('sender', address))
    },
    onRcptTo: ({ address }, _session, answer) => answer(refusalTo(address) ?? refusal('recipient', address)),
    onData: (stream, session, answer) => {
      const parts: Buffer[] = []
      inHand += 1
      atOnce = Math.max(atOnce, inHand)
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const finish = (): void => {
          inHand -= 1
          take(session, Buffer.concat(parts).toString('utf8'), answer)
        }
        if (isStalled) stalled.push(finish)
        else finish()
      })
    },
  })
  // Errors of clients that disconnect from a stalled server.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    get attempts() {
      return attempts
    },
    get atOnce() {
      return atOnce
    },
    mailTo: (recipient, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const mail = received.filter(({ to }) => to.includes(recipient)).at(count === undefined ? -1 : count - 1)
          if (!mail) return void waiting.add(look)
          waiting.delete(look)
          resolve(mail)
        }
        look()
      }),
    refuse: (stage, ...codes) => void refusals[stage].push(...codes),
    refuseTo: (recipient, code) => void refusedAddresses.set(recipient, code),
    stall: (stalls) => {
      isStalled = stalls
      if (!stalls) for (const finish of stalled.splice(0)) finish()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function refusedWith(responseCode: number | undefined, said: string): Error | null {
  return responseCode === undefined ? null : Object.assign(new Error(`refused: ${said}`), { responseCode })
}
