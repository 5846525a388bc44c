/** The Gateway's URL for a public URL: the same host, over a websocket. */
export function gatewayUrlBelow(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/gateway`
}
