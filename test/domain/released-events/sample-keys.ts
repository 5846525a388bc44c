import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'

/** The key that sealed every sealed member of the samples. It seals nothing else. */
export const sampleKey = Buffer.alloc(32, 'released events')

/** Keys that open the samples. */
export const sampleKeys: PersonalDataKeys = {
  keysFor: async (accounts) => new Map(accounts.map((account) => [account, sampleKey])),
  existingKeys: async (accounts) => new Map(accounts.map((account) => [account, sampleKey])),
  destroy: () => Promise.reject(new Error('samples are read for as long as there is a Guildhall')),
}

/** As if the key of every account were destroyed. */
export const destroyedKeys: PersonalDataKeys = {
  keysFor: async () => new Map(),
  existingKeys: async () => new Map(),
  destroy: async () => undefined,
}
