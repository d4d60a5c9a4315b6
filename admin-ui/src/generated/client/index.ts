export * from './api-keys/api-keys';
export * from './couriers/couriers';
export * from './platform-restaurants/platform-restaurants';
export * from './restaurants/restaurants';
export * from './session/session';
