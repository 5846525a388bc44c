import { getDiscoveryDocument } from '../../../application/administration/instance/discovery-document.ts'
import { consoleApplicationId } from '../../../application/apps/console/console-application.ts'
import type { Ports } from '../../../application/ports.ts'
import { jsonAnswer, notStored, type Answer } from '../answer.ts'
import { consoleSignInPage } from '../pages/console-page.ts'
import { basePath } from '../pages/page.ts'

/**
 * What the console's script must know first. Addresses are without a host, so that it works at each one that a browser has for this
 * server.
 */
export function consoleConfig(ports: Pick<Ports, 'instance' | 'instancePolicies' | 'limits'>) {
  const readInstance = getDiscoveryDocument(ports)
  return async (): Promise<Answer> => {
    const base = basePath(ports.instance)
    const { branding } = (await readInstance()).app_public
    const config = {
      client_id: consoleApplicationId,
      authorize_url: `${base}${consoleSignInPage.path}`,
      api_url: `${base}/`,
      instance_name: branding.product_name,
    }
    return jsonAnswer(200, config, notStored)
  }
}
