/** What the operator has set. */
export const plainInstance = {
  serviceName: 'guildhall',
  version: 'test',
  publicUrl: 'http://guildhall.test',
  webappUrl: 'http://guildhall.test',
  gatewayUrl: 'ws://guildhall.test/gateway',
  clientOrigins: [],
  hosted: false,
  console: true,
}
