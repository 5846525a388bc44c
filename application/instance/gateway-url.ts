import type { Instance } from '../ports.js'

/** Where the Gateway is: the same text wherever it is told (reference gateway 1.1). */
export function gatewayUrl({ publicUrl }: Pick<Instance, 'publicUrl'>): string {
  return `${publicUrl.replace(/^http/, 'ws')}/gateway`
}
