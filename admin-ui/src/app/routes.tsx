import type { RouteObject } from 'react-router';
import { Crash } from './Crash';
import { FirstPage, FirstPlatformPage, Home } from './Home';
import { NotFound } from './NotFound';
import { Page } from './Page';
import { PlatformScope } from './PlatformScope';
import { RestaurantScope } from './RestaurantScope';
import { Root } from './Root';

/**
 * Screens are not routes of their own: `:slug` is looked up among the features in either language, so a
 * switch of the language changes the address but not the mounted screen.
 */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <Crash />,
    children: [
      { path: '/', element: <Home /> },
      {
        path: '/r/:restaurant',
        element: <RestaurantScope />,
        children: [
          { index: true, element: <FirstPage /> },
          { path: ':slug/*', element: <Page /> },
        ],
      },
      {
        path: '/platform',
        element: <PlatformScope />,
        children: [
          { index: true, element: <FirstPlatformPage /> },
          { path: ':slug/*', element: <Page /> },
        ],
      },
      { path: '*', element: <NotFound /> },
    ],
  },
];
