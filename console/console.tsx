import { Admin, CustomRoutes, localStorageStore } from 'react-admin'
import { Navigate, Route } from 'react-router-dom'
import { dataProvider } from './lists/data-provider.ts'
import { ConsoleLayout } from './layout.tsx'
import { authProvider } from './session/auth-provider.ts'
import { i18nProvider } from './texts/i18n.ts'
import { darkTheme, lightTheme } from './themes.ts'
import { resourceElements, views } from './views.tsx'

/** The console. Its addresses are fragments: what is searched for does not get into the logs of servers. */
export function Console() {
  return (
    <Admin
      title="Guildhall"
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      layout={ConsoleLayout}
      store={localStorageStore('1', 'guildhall.console')}
      theme={lightTheme}
      darkTheme={darkTheme}
      requireAuth
      disableTelemetry
    >
      {resourceElements}
      <CustomRoutes>
        {views.flatMap(({ routes = [] }) =>
          routes.map(({ path, element }) => <Route key={path} path={path} element={element} />),
        )}
        <Route path="/" element={<Navigate to={views[0]?.path ?? '/'} replace />} />
      </CustomRoutes>
    </Admin>
  )
}
