export * from './access/access.ts';
export * from './catalogue/catalogue.ts';
export * from './orders/orders.ts';
export * from './people/people.ts';
export * from './public/public.ts';
export * from './restaurants/restaurants.ts';
export * from './session/session.ts';
