/** Where the Gateway is below what URLs in answers begin with: the same host, over a websocket. */
export function gatewayUrlBelow(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/gateway`
}
