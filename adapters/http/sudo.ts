import type { ErrorCode } from '../../domain/kernel/error-codes.ts'

/** When an operation needs sudo mode (rules/credentials#sudo-mode). Its body then has the sudo verification fields. */
export type Sudo = AlwaysSudo | SudoOnDemand

/** Required before the handler runs, for every caller: sudo mode comes before ownership. */
export interface AlwaysSudo {
  readonly sudo: 'always'
  /** Whether the answer carries a proof. Two operations send none. */
  readonly sendsProof: boolean
  /** The code for a rejected proof, with the same fields as INVALID_FORM_BODY, which it replaces (decision 94). */
  readonly rejectedAs?: ErrorCode
}

/** Required for some requests only: the handler asks for it before it does anything. */
export interface SudoOnDemand {
  readonly sudo: 'on demand'
  readonly sendsProof: true
  /** Whether it is required only of accounts with a second factor. If absent, of every account that can verify itself. */
  readonly ofSecondFactors?: true
}

export const alwaysSudo: AlwaysSudo = { sudo: 'always', sendsProof: true }
export const alwaysSudoOfPurchases: AlwaysSudo = { ...alwaysSudo, rejectedAs: 'STORE_PURCHASE_INVALID' }
export const alwaysSudoWithoutProof: AlwaysSudo = { sudo: 'always', sendsProof: false }
export const sudoOnDemand: SudoOnDemand = { sudo: 'on demand', sendsProof: true }
export const sudoOfSecondFactorsOnDemand: SudoOnDemand = { ...sudoOnDemand, ofSecondFactors: true }

/** In lower case, as Node has it. */
export const sudoHeader = 'x-service-sudo-mode-jwt'
