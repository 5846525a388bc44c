import { randomInt } from 'node:crypto'
import { createGuardrails, generateSync } from 'otplib'
import type { TestAccount, TestAnswer, TestGuildhall } from './test-guildhall.ts'

const step_ms = 30_000
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10, MAX_SECRET_BYTES: 160 })
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A person's authenticator app. */
export interface Authenticator {
  /** Base32; 160 bits if it was generated. */
  readonly secret: string
  /** A code that this function has not given yet, of the current step or the next one: two at one moment, and no more. */
  code(now_ms?: number): string
  /** Six digits that are not a code of any step near now. */
  wrongCode(now_ms?: number): string
}

export function authenticator(secret = newSecret()): Authenticator {
  const codeOf = (step: number) => generateSync({ secret, epoch: (step * step_ms) / 1000, guardrails })
  let last = 0
  return {
    secret,
    code(now_ms = Date.now()) {
      const now = Math.floor(now_ms / step_ms)
      last = Math.max(last + 1, now)
      if (last > now + 1) throw new Error('No more codes before this step is over: take backup codes')
      return codeOf(last)
    },
    wrongCode(now_ms = Date.now()) {
      const now = Math.floor(now_ms / step_ms)
      const near = new Set([-2, -1, 0, 1, 2, 3].map((steps) => codeOf(now + steps)))
      const wrong = ['111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
        (code) => !near.has(code),
      )
      if (wrong === undefined) throw new Error('Every code is near')
      return wrong
    },
  }
}

function newSecret(): string {
  return Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

export interface ProtectedAccount extends TestAccount {
  readonly app: Authenticator
  /** Ten unused codes. */
  readonly backupCodes: readonly string[]
}

/** Turns TOTP on for an account that has only a password. This uses one of the two codes of the moment. */
export async function protect({ request }: TestGuildhall, account: TestAccount): Promise<ProtectedAccount> {
  const app = authenticator()
  const { status, body } = await request('POST', '/v1/users/@me/mfa/totp/enable', {
    token: account.token,
    body: { secret: app.secret, code: app.code(), password: account.password },
  })
  if (status !== 200) throw new Error(`Enabling TOTP was answered with ${status}: ${JSON.stringify(body)}`)
  const { backup_codes: codes } = body as { readonly backup_codes: readonly { readonly code: string }[] }
  return { ...account, app, backupCodes: codes.map(({ code }) => code) }
}

/** One of the backup codes; throws if there are fewer. */
export function backupCode({ backupCodes }: ProtectedAccount, index: number): string {
  const code = backupCodes[index]
  if (code === undefined) throw new Error(`There is no backup code ${index}`)
  return code
}

/** The header of an answer with a sudo proof; null without one. */
export function sudoProofOf({ headers }: TestAnswer): string | null {
  return headers.get(sudoHeader)
}

export const sudoHeader = 'x-service-sudo-mode-jwt'
