import type { Caller, Requester } from '../../../application/caller.ts'
import { Refused } from '../../../application/commands/refused.ts'
import type { SudoOutcome } from '../../../application/identity/sudo/sudo-request.ts'
import { sudoProofToSend, verifySudo } from '../../../application/identity/sudo/verify-sudo.ts'
import type { Ports } from '../../../application/ports.ts'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import type { None, Operation } from '../operation.ts'
import { sudoHeader, type AlwaysSudo, type Sudo } from '../sudo.ts'
import { noHeaders, notStored, type Headers } from '../answer.ts'
import type { Input } from '../request/input/input.ts'

/** How callers are verified, for every operation. */
export interface SudoChecks {
  readonly verify: ReturnType<typeof verifySudo>
  readonly proofToSend: ReturnType<typeof sudoProofToSend>
}

export function sudoChecks(ports: Ports): SudoChecks {
  return { verify: verifySudo(ports), proofToSend: sudoProofToSend(ports) }
}

interface SudoParts {
  readonly caller: Requester
  readonly input: Pick<Input, 'sudo'>
  readonly proof: string | null
}

/** Sudo mode of one request. */
export interface SudoMode {
  /** Refuses unless the caller is verified. Verifies once, however often it is called. */
  prove(): Promise<void>
  /** The same for a handler that decides whether it is needed; undefined if the operation declares no sudo mode on demand. */
  readonly onDemand: (() => Promise<void>) | undefined
  /** The headers of a successful answer. */
  headers(): Promise<Headers>
}

export function isAlways(sudo: Sudo | None): sudo is AlwaysSudo {
  return !('none' in sudo) && sudo.sudo === 'always'
}

export function sudoMode(checks: SudoChecks, operation: Operation, { caller, input, proof }: SudoParts): SudoMode {
  const declared = operation.sudo
  if ('none' in declared || !input.sudo || !isCaller(caller)) return withoutSudo
  const request = { ...input.sudo, proof }
  const ofSecondFactors = declared.sudo === 'on demand' && declared.ofSecondFactors === true
  let proved: Promise<SudoOutcome> | undefined
  const prove = async (): Promise<void> => {
    proved ??= checks.verify(caller, request, { ofSecondFactors }).catch((error: unknown) => {
      throw isAlways(declared) ? rejectedAs(declared.rejectedAs, error) : error
    })
    await proved
  }
  return {
    prove,
    onDemand: declared.sudo === 'on demand' ? prove : undefined,
    async headers() {
      if (!proved || !declared.sendsProof) return noHeaders
      const sent = await checks.proofToSend(caller, await proved)
      return sent === null ? noHeaders : { [sudoHeader]: sent, ...notStored }
    },
  }
}

/** A proof that is not right, by the operation's own code. */
function rejectedAs(code: ErrorCode | undefined, error: unknown): unknown {
  if (!code || !(error instanceof Refused) || error.refusal.code !== 'INVALID_FORM_BODY') return error
  return new Refused({ ...error.refusal, code })
}

/** An operation that needs sudo mode is for accounts only: otherwise its declaration would not compile. */
function isCaller(requester: Requester): requester is Caller {
  return 'account' in requester && 'credential' in requester
}

const withoutSudo: SudoMode = {
  prove: () => Promise.resolve(),
  onDemand: undefined,
  headers: () => Promise.resolve(noHeaders),
}
